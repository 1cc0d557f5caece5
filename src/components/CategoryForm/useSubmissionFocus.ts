import type { RefObject } from 'react'
import { useChangeEffect } from '../useChangeEffect.ts'
import { type FieldName, needsSummary, type Problem } from './problems.ts'

interface FocusTargets {
  readonly nameRef: RefObject<HTMLInputElement | null>
  readonly summaryRef: RefObject<HTMLElement | null>
  readonly focusField: (field: FieldName) => void
}

/** Moves the focus to the problem of the latest submission, or back to the name after a success. */
export function useSubmissionFocus(
  { nameRef, summaryRef, focusField }: FocusTargets,
  announcementKey: unknown,
  problems: readonly Problem[],
  isCreated: boolean,
): void {
  useChangeEffect(announcementKey, () => {
    if (!mayTakeFocus(nameRef.current?.form)) return
    if (needsSummary(problems)) summaryRef.current?.focus()
    else if (problems[0]?.field) focusField(problems[0].field)
    else if (isCreated) focusField('name')
  })
}

/** Not if the person has moved on to another part of the page. */
function mayTakeFocus(form: HTMLFormElement | null | undefined): boolean {
  const active = document.activeElement
  return !!form && (!active || active.contains(form) || form.matches(':focus-within'))
}
