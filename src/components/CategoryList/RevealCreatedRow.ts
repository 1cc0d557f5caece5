import { type RefObject, useEffect, useRef } from 'react'
import type { CategoryId } from '../../contract/int64.ts'
import type { CreatedCategoryStore } from '../createdCategory.ts'
import type { RevealedRow } from './CategoryRows.tsx'
import type { VisibleRows } from './useVisibleRows.ts'

interface RevealCreatedRowProps {
  /** The category that was created last. */
  readonly id: CategoryId | undefined
  /** The one that was created last when the list mounted. */
  readonly oldId: CategoryId | undefined
  readonly store: CreatedCategoryStore
  readonly visible: VisibleRows
  readonly sectionRef: RefObject<Element | null>
  readonly setRevealed: (row: RevealedRow) => void
}

/** Reveals the row of a created category, or reports how it can be shown. */
export function RevealCreatedRow(props: RevealCreatedRowProps): null {
  const { id, oldId, store, visible, sectionRef, setRevealed } = props
  const latest = useRef(visible)
  const handledId = useRef(oldId)
  const show = useRef<() => void>(undefined)
  const { all, rows, window, listRef } = visible

  useEffect(() => {
    latest.current = visible
  })

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
  }, [id, all, rows, window, listRef, sectionRef, store, setRevealed])

  useEffect(
    () => () => {
      if (show.current) store.withdraw(show.current)
      // In StrictMode React mounts again what it has just mounted.
      handledId.current = oldId
    },
    [store, oldId],
  )
  return null
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
