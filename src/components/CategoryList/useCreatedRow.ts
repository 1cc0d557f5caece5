import { type AnimationEvent, useEffect, useRef, useState } from 'react'
import type { CategoryId } from '../../contract/int64.ts'
import { useLatestRef } from '../../hooks/state.ts'
import { useCreatedCategory } from '../createdCategory.ts'
import { focusedElement } from '../RestoreFocus.tsx'
import type { VisibleRows } from './useVisibleRows.ts'

interface CreatedRow {
  /** The id of the row that is highlighted. */
  readonly highlightedId: CategoryId | undefined
  /** For an element around the rows: ends the highlight. */
  readonly onAnimationEnd: (event: AnimationEvent) => void
}

/**
 * Highlights the category that a form has created and scrolls it into view. If it is out of sight, the form gets a function
 * that shows it.
 */
export function useCreatedRow({ all, rows, listRef, reveal }: VisibleRows): CreatedRow {
  const { created, store } = useCreatedCategory()
  const id = created?.id
  const [highlightedId, setHighlightedId] = useState<CategoryId>()
  /** The list has nothing to say about what was created before it was there. */
  const [oldId] = useState(id)
  const handledId = useRef(oldId)
  const show = useRef<() => void>(undefined)
  const latestReveal = useLatestRef(reveal)

  // Also when the rows change: the form may be ready before the list has the row.
  useEffect(() => {
    if (id === undefined || id === handledId.current || !all.some((category) => category.id === id)) return
    handledId.current = id
    const element = listRef.current?.children[rows.findIndex((category) => category.id === id)]
    const isShown = element !== undefined && scrollBesideFocus(element)
    if (isShown) setHighlightedId(id)
    show.current = () => {
      latestReveal.current(id)
      setHighlightedId(id)
    }
    store.report(id, isShown ? undefined : show.current)
  }, [id, all, rows, listRef, latestReveal, store])

  useEffect(
    () => () => {
      if (show.current) store.withdraw(show.current)
      // In StrictMode React mounts again what it has just mounted.
      handledId.current = oldId
    },
    [store, oldId],
  )

  return {
    highlightedId,
    onAnimationEnd: ({ animationName }) => {
      if (animationName === 'petstore-highlight') setHighlightedId(undefined)
    },
  }
}

/**
 * Scrolls an element into view, unless the element with the focus would leave it.
 *
 * @returns whether both are in view
 */
function scrollBesideFocus(element: Element): boolean {
  const { activeElement, body, defaultView } = element.ownerDocument
  const focused = focusedElement(element) ?? activeElement
  const boxes = [element, focused && focused !== body ? focused : element].map((other) => other.getBoundingClientRect())
  const start = Math.min(...boxes.map(({ top }) => top))
  const end = Math.max(...boxes.map(({ bottom }) => bottom))
  if (!defaultView || end - start > defaultView.innerHeight) return false
  // Missing where there is no layout, as in jsdom.
  if ('scrollIntoView' in element) element.scrollIntoView({ block: 'nearest' })
  return true
}
