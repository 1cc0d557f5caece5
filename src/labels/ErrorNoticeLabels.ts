import type { PetstoreError } from '../client/errors.ts'

/** What people are told about one kind of error. */
export interface ErrorLabels {
  readonly title: string
  /** What happened, and what they can do about it. */
  readonly advice: string
}

/** The words of `ErrorNotice`. */
export interface ErrorNoticeLabels {
  readonly errors: Readonly<Record<PetstoreError['kind'], ErrorLabels>>
  /** For what is no `PetstoreError`, such as a cancelled request. */
  readonly otherError: ErrorLabels
  /** After the advice, where the service may have done the work although the call failed. */
  readonly mayHaveHappened: string
  /** After the advice, where the service has done the work, but its response could not be read. */
  readonly hasHappened: string
  readonly retry: string
  /** Beside the button while the rate limit has to be waited for; `wait` such as "12 seconds". */
  readonly retryIn: (wait: string) => string
  /** In place of `retryIn` once the wait is over; also spoken then. */
  readonly retryNow: string
  /** While the retry is under way. */
  readonly retrying: string
  /** Opens the details. */
  readonly details: string
  readonly code: string
  readonly status: string
  readonly operation: string
  /** In front of the service's own words. */
  readonly serviceSays: string
}
