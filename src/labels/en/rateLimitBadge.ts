import type { Formats } from '../formats.ts'
import { retryingIn } from './waits.ts'

/** The English labels of `RateLimitBadge`, apart from the others: an app loads only those of its components. */
export const rateLimitBadge = {
  /** Names the badge. */
  title: 'API requests',
  /** Names the meter for assistive technology. */
  meter: 'Requests left',
  /** Nothing is known, and nothing was ever asked. People see a dash. */
  idle: 'No requests yet',
  /** Below `ok`, when the window of the last response has ended. */
  waitsForNext: 'The next response shows what’s left',
  /** While the first request is under way. */
  unknown: 'Checking…',
  /** Requests can be sent. */
  ok: 'Available',
  /** Few requests are left. */
  low: 'Running low',
  /** No requests are left until the reset. */
  exhausted: 'Used up',
  /** Instead of `exhausted`, for waits of two minutes or more; `time` as in "4:15 PM" or "tomorrow at 12:00 AM". */
  exhaustedUntil: (time: string) => `Used up until ${time}`,
  /** The service has refused a request, and nothing is sent for a while. */
  coolingDown: 'Paused',
  /** As `exhaustedUntil`. */
  pausedUntil: (time: string) => `Paused until ${time}`,
  /** The service does not accept the API key. */
  rejected: 'Key rejected',
  /** Below `rejected`. */
  waitsForKey: 'Waiting for a valid key',
  /** The number of calls that wait: "3 waiting", or "Nothing is waiting". */
  waiting: (count: number, { number }: Formats) => (count === 0 ? 'Nothing is waiting' : `${number(count)} waiting`),
  /** Requests fail without a response. */
  connection: 'Can’t reach the service',
  /** Requests fail with a response that does not explain it. */
  service: 'The service has a problem',
  /** "12 of 60 requests left". */
  remaining: (remaining: number, limit: number, { number, plural }: Formats) =>
    `${number(remaining)} of ${plural(limit, { one: '# request left', other: '# requests left' })}`,
  /** If the limit is unknown: "12 requests left". */
  remainingOnly: (remaining: number, { plural }: Formats) =>
    plural(remaining, { one: '# request left', other: '# requests left' }),
  /** In the compact badge: "12/60". */
  remainingShort: (remaining: number, limit: number, { number }: Formats) => `${number(remaining)}/${number(limit)}`,
  /** "Resumes in 42 seconds". */
  nextIn: (wait: string) => `Resumes in ${wait}`,
  /** Replaces `nextIn` while requests fail. */
  retryingIn,
  /** "Resets in 40 seconds", where few are left. */
  resetsIn: (wait: string) => `Resets in ${wait}`,
  /** "Resets at 12:05 PM"; `time` is a phrase such as "at 12:05 PM" or "tomorrow at 12:00 AM". */
  resetsAt: (time: string) => `Resets ${time}`,
  /** Announced when requests can be sent again. */
  restored: 'You can make requests again.',
}
