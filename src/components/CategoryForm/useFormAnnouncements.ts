import { type RefObject, useEffect } from 'react'
import type { CategoryFormLabels } from '../../labels/CategoryFormLabels.ts'
import type { Formats } from '../../labels/formats.ts'
import { announce, prepareRegion } from '../announce.ts'
import { useChangeEffect } from '../useChangeEffect.ts'
import type { Creation } from './useCategorySubmission.ts'

/** Announces each step of a submission once, and no ticks. */
export function useFormAnnouncements(
  near: RefObject<Element | null>,
  announcementKey: unknown,
  creation: Creation,
  labels: CategoryFormLabels,
  format: Formats,
): void {
  useEffect(() => {
    prepareRegion(near.current)
  })
  useChangeEffect(announcementKey, () => announce(announcementText(creation, labels, format), near.current))
}

/** The announcement of a step; empty for a failure, which the notice or the focused field announces. */
export function announcementText(creation: Creation, labels: CategoryFormLabels, format: Formats): string {
  if (creation.status === 'sending') return labels.submitting
  if (creation.status === 'waiting') {
    return `${labels.rateLimited} ${labels.savingIn(format.duration(creation.retryAt - Date.now()))}`
  }
  return creation.status === 'success' ? labels.created(creation.data.name) : ''
}
