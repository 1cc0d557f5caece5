import { type AnimationEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useLatestRef } from '../../hooks/state.ts'
import { useCreatedCategory } from '../createdCategory.ts'
import type { RevealedRow } from './CategoryRows.tsx'
import type { VisibleRows } from './useVisibleRows.ts'

interface CreatedRow {
  /** The row that is highlighted. */
  readonly revealed: RevealedRow | undefined
  readonly onAnimationEnd: (event: AnimationEvent) => void
}

/** Highlights the category that a form has created. If it is out of sight, the form gets a function that shows it. */
export function useCreatedRow(visible: VisibleRows, sectionRef: RefObject<Element | null>): CreatedRow {
  const { created, store } = useCreatedCategory()
  const [revealed, setRevealed] = useState<RevealedRow>()
  const latest = useLatestRef(visible)
  /** The list has nothing to say about what was created before it was there. */
  const handledId = useRef(created?.id)
  const show = useRef<() => void>(undefined)

  const { all, rows, window, listRef } = visible
  const id = created?.id

  // Also when the rows change: the form may be ready before the list has the row.
  useEffect(() => {
    if (id === undefined || id === handledId.current || !all.some((category) => category.id === id)) return
    handledId.current = id
    const index = rows.findIndex((category) => category.id === id)
    const element = window === null ? listRef.current?.children[index] : sectionRef.current
    const isShown = index >= 0 && !!element && scrollBesideFocus(element)
    if (isShown) setRevealed({ id, takesFocus: false })
    show.current = () => {
      latest.current.reveal(id)
      setRevealed({ id, takesFocus: true })
    }
    store.report(id, isShown ? undefined : show.current)
  }, [id, all, rows, window, listRef, sectionRef, store, latest])

  useEffect(
    () => () => {
      if (show.current) store.withdraw(show.current)
    },
    [store],
  )

  return {
    revealed,
    onAnimationEnd: ({ animationName }) => void (animationName === 'petstore-highlight' && setRevealed(undefined)),
  }
}

/**
 * Scrolls an element into view, unless the element with the focus would leave it.
 *
 * @returns whether both are in view
 */
function scrollBesideFocus(element: Element): boolean {
  const { activeElement: focused, body, defaultView } = element.ownerDocument
  const boxes = [element, focused && focused !== body ? focused : element].map((other) => other.getBoundingClientRect())
  const start = Math.min(...boxes.map(({ top }) => top))
  const end = Math.max(...boxes.map(({ bottom }) => bottom))
  if (!defaultView || end - start > defaultView.innerHeight) return false
  // Missing where there is no layout, as in jsdom.
  if ('scrollIntoView' in element) element.scrollIntoView({ block: 'nearest' })
  return true
}
