import type { ErrorNoticeLabels } from '../../labels/ErrorNoticeLabels.ts'
import type { Formats } from '../../labels/formats.ts'

/** From this wait on, in seconds, people look at a clock instead of a countdown. */
const clockWait = 120

/** When a request can be retried, for the screen and for announcements. */
export function retryText(
  retryAt: number | undefined,
  seconds: number,
  labels: Pick<ErrorNoticeLabels, 'retryIn'>,
  format: Formats,
): string {
  const time = retryAt === undefined || seconds < clockWait ? undefined : format.when(retryAt)
  return labels.retryIn(format.duration(seconds * 1_000), time)
}
