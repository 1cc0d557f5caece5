import { type AnimationEvent, type ReactElement, type RefObject, createElement, useState } from 'react'
import { useCreatedCategory } from '../createdCategory.ts'
import { useLate } from '../useLate.ts'
import type { RevealedRow } from './CategoryRows.tsx'
import type { VisibleRows } from './useVisibleRows.ts'

interface CreatedRow {
  /** The row that is highlighted. */
  readonly revealed: RevealedRow | undefined
  readonly onAnimationEnd: (event: AnimationEvent) => void
  /** Renders nothing. */
  readonly revealing: ReactElement | null | undefined
}

const loadReveal = () => import('./RevealCreatedRow.ts')

/**
 * Highlights the category that a form has created. If it is out of sight, the form gets a function that shows it. What does
 * that is loaded when a form has created one; without it, nothing is highlighted.
 */
export function useCreatedRow(visible: VisibleRows, sectionRef: RefObject<Element | null>): CreatedRow {
  const { created, store } = useCreatedCategory()
  const [revealed, setRevealed] = useState<RevealedRow>()
  /** The list has nothing to say about what was created before it was there. */
  const [oldId] = useState(created?.id)
  const id = created?.id
  const late = useLate(id !== oldId, loadReveal)
  return {
    revealed,
    onAnimationEnd: ({ animationName }) => void (animationName === 'petstore-highlight' && setRevealed(undefined)),
    revealing: late && createElement(late.RevealCreatedRow, { id, oldId, store, visible, sectionRef, setRevealed }),
  }
}
