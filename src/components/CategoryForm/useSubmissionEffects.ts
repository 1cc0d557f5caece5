import { useEffect } from 'react'
import type { CategoryFormLabels } from '../../labels/CategoryFormLabels.ts'
import type { Formats } from '../../labels/formats.ts'
import { announce, prepareRegion } from '../announce.ts'
import { useChangeEffect } from '../useChangeEffect.ts'
import { useCreatedCategory } from '../useCreatedCategory.ts'
import { labelOfWait, waitText } from '../../labels/waitText.ts'
import { needsSummary, type Problem } from './problems.ts'
import type { CategorySubmission, FieldRefs } from './useCategorySubmission.ts'

/** Clears the fields after a success, announces each step of a submission once, and moves the focus to its result. */
export function useSubmissionEffects(
  submission: CategorySubmission,
  fields: FieldRefs,
  problems: readonly Problem[],
  focusSummary: () => void,
  labels: CategoryFormLabels,
  format: Formats,
): void {
  const { creation, createdUnread, announcementKey } = submission
  const { store } = useCreatedCategory()

  useEffect(() => {
    prepareRegion(fields.name.current)
  })

  useChangeEffect(announcementKey, () => {
    const form = fields.name.current?.form
    const isCreated = creation.status === 'success' || createdUnread !== undefined
    if (isCreated) {
      // Testing libraries that simulate typing continue from the value set last, which a reset does not change for them.
      for (const { current: input } of Object.values(fields)) if (input) input.value = input.defaultValue
      form?.reset()
    }
    if (creation.status === 'success') store.add(creation.data.id)
    announce(announcementText(submission, labels, format), fields.name.current, creation.isMutating)
    if (!mayTakeFocus(form)) return
    if (needsSummary(problems)) return focusSummary()
    const [problem] = problems
    const field = isCreated ? 'name' : problem?.field
    const input = field && fields[field].current
    // A screen reader reads the description of a field when the field gets the focus, and says nothing if it has it.
    if (problem && input === document.activeElement) announce(problem.text, form ?? null)
    input?.focus()
  })
}

/** The announcement of a step; empty for a failure, which the notice or the focused field announces. */
function announcementText(
  { creation, createdUnread, isSlow }: CategorySubmission,
  labels: CategoryFormLabels,
  format: Formats,
): string {
  if (creation.isMutating && !isSlow) return ''
  if (creation.status === 'sending') return labels.submitting
  if (creation.status === 'waiting') {
    const savingIn = waitText(labelOfWait(labels.savingIn, creation), creation.retryAt, format)
    return `${labels.waitReasons[creation.waitReason]} ${savingIn}`
  }
  if (createdUnread) return labels.createdUnread(createdUnread.name)
  return creation.status === 'success' ? labels.created(creation.data.name) : ''
}

/** Not if the person has moved on to another part of the page. */
function mayTakeFocus(form: HTMLFormElement | null | undefined): boolean {
  const active = document.activeElement
  return !!form && (!active || active.contains(form) || form.matches(':focus-within'))
}
