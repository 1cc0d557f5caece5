import { type AnimationEvent, useEffect, useRef, useState } from 'react'
import type { CategoryId } from '../../contract/fields.ts'
import { useLatestRef } from '../../hooks/state.ts'
import { useCreatedCategory } from '../createdCategory.ts'
import { focusedElement } from '../RestoreFocus.tsx'
import type { VisibleRows } from './useVisibleRows.ts'

/**
 * Highlights the category that a form has created and scrolls it into view. If its row is not rendered, or scrolling to it would
 * move the focused element out of view, the form gets a function that reveals it.
 */
export function useCreatedRow({ all, rows, listRef, reveal }: VisibleRows) {
  const { created, store } = useCreatedCategory()
  const id = created?.id
  const [highlightedId, setHighlightedId] = useState<CategoryId>()
  /** The category handled last. One that was created before this list mounted is not highlighted. */
  const handledId = useRef(id)
  const revealCreated = useRef<() => void>(undefined)
  const latestReveal = useLatestRef(reveal)

  // Depends on the rows, too: the form may report a category before the list has its row.
  useEffect(() => {
    const isListed = all.some((category) => category.id === id)
    // A refresh has removed the category: the form must not offer to show it.
    if (!isListed && revealCreated.current) store.withdraw(revealCreated.current)
    if (id === undefined || id === handledId.current || !isListed) return
    handledId.current = id
    const element = listRef.current?.children[rows.findIndex((category) => category.id === id)]
    if (element !== undefined && scrollKeepingFocusInView(element)) return setHighlightedId(id)
    revealCreated.current = () => {
      latestReveal.current(id)
      setHighlightedId(id)
    }
    store.report(id, revealCreated.current)
  }, [id, all, rows, listRef, latestReveal, store])

  useEffect(
    () => () => {
      if (revealCreated.current) store.withdraw(revealCreated.current)
    },
    [store],
  )

  return {
    highlightedId,
    /** For an element around the rows: ends the highlight. */
    onAnimationEnd: ({ animationName }: AnimationEvent) => {
      if (animationName === 'petstore-highlight') setHighlightedId(undefined)
    },
  }
}

/** Scrolls an element into view if the page can show it together with the focused element. Returns whether it can. */
function scrollKeepingFocusInView(element: Element): boolean {
  const { activeElement, body, defaultView } = element.ownerDocument
  const focused = focusedElement(element) ?? activeElement
  const boxes = [element, focused && focused !== body ? focused : element].map((other) => other.getBoundingClientRect())
  const start = Math.min(...boxes.map(({ top }) => top))
  const end = Math.max(...boxes.map(({ bottom }) => bottom))
  if (!defaultView || end - start > defaultView.innerHeight) return false
  // jsdom, which has no layout, lacks the method.
  if ('scrollIntoView' in element) element.scrollIntoView({ block: 'nearest' })
  return true
}
