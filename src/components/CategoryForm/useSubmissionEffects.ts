import { useEffect } from 'react'
import type { CategoryFormLabels } from '../../labels/CategoryFormLabels.ts'
import type { Formats } from '../../labels/formats.ts'
import { announce, prepareRegion } from '../announce.ts'
import { useChangeEffect } from '../useChangeEffect.ts'
import { needsSummary, type Problem } from './problems.ts'
import type { CategorySubmission, Creation, FieldRefs } from './useCategorySubmission.ts'

/** Clears the fields after a success, announces each step of a submission once, and moves the focus to its result. */
export function useSubmissionEffects(
  { creation, announcementKey }: CategorySubmission,
  fields: FieldRefs,
  problems: readonly Problem[],
  focusSummary: () => void,
  labels: CategoryFormLabels,
  format: Formats,
): void {
  useEffect(() => {
    prepareRegion(fields.name.current)
  })

  useChangeEffect(announcementKey, () => {
    const form = fields.name.current?.form
    const isCreated = creation.status === 'success'
    if (isCreated) {
      // Testing libraries that simulate typing continue from the value set last, which a reset does not change for them.
      for (const { current: input } of Object.values(fields)) if (input) input.value = input.defaultValue
      form?.reset()
    }
    announce(announcementText(creation, labels, format), fields.name.current)
    if (!mayTakeFocus(form)) return
    const field = isCreated ? 'name' : problems[0]?.field
    if (needsSummary(problems)) focusSummary()
    else if (field) fields[field].current?.focus()
  })
}

/** The announcement of a step; empty for a failure, which the notice or the focused field announces. */
function announcementText(creation: Creation, labels: CategoryFormLabels, format: Formats): string {
  if (creation.status === 'sending') return labels.submitting
  if (creation.status === 'waiting') {
    return `${labels.rateLimited} ${labels.savingIn(format.duration(creation.retryAt - Date.now()))}`
  }
  return creation.status === 'success' ? labels.created(creation.data.name) : ''
}

/** Not if the person has moved on to another part of the page. */
function mayTakeFocus(form: HTMLFormElement | null | undefined): boolean {
  const active = document.activeElement
  return !!form && (!active || active.contains(form) || form.matches(':focus-within'))
}
