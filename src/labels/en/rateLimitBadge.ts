import type { Formats } from '../formats.ts'
import { retryingIn } from './waits.ts'

export const rateLimitBadge = {
  title: 'API requests',
  /** Names the meter for assistive technology. */
  meter: 'Requests left',
  /** Before the first response. The compact badge shows a dash and speaks this text. */
  idle: 'No response yet',
  /** Below `ok`, when the window that the last response announced has ended. */
  waitsForNext: 'The next response shows what’s left',
  /** While the first request is under way. */
  unknown: 'Checking…',
  ok: 'Available',
  low: 'Running low',
  exhausted: 'Used up',
  /** Replaces `exhausted` when the wait is two minutes or longer. `time` is "4:15 PM" or "tomorrow at 12:00 AM". */
  exhaustedUntil: (time: string) => `Used up until ${time}`,
  /** The service has refused a request, and nothing is sent for a while. */
  coolingDown: 'Paused',
  /** Replaces `coolingDown`, as `exhaustedUntil` replaces `exhausted`. */
  pausedUntil: (time: string) => `Paused until ${time}`,
  rejected: 'Key rejected',
  /** Below `rejected`. */
  waitsForKey: 'Waiting for a valid key',
  /** How many calls wait. */
  waiting: (count: number, { number }: Formats) => `${number(count)} waiting`,
  /** Requests fail without a response. */
  connection: 'Can’t reach the service',
  remaining: (remaining: number, limit: number, { number, plural }: Formats) =>
    `${number(remaining)} of ${plural(limit, { one: '# request left', other: '# requests left' })}`,
  /** Replaces `remaining` if the limit is unknown. */
  remainingOnly: (remaining: number, { plural }: Formats) =>
    plural(remaining, { one: '# request left', other: '# requests left' }),
  /** While `exhausted` or `coolingDown`, for a wait of less than two minutes. */
  nextIn: (wait: string) => `Resumes in ${wait}`,
  /** Replaces `nextIn` while requests fail without a response. */
  retryingIn,
  /** Replaces `resetsAt` below `low`, less than two minutes before the reset. */
  resetsIn: (wait: string) => `Resets in ${wait}`,
  /** `time` is a text such as "at 12:05 PM" or "tomorrow at 12:00 AM". */
  resetsAt: (time: string) => `Resets ${time}`,
  /** Announced when requests can be sent again. */
  restored: 'You can make requests again.',
}
