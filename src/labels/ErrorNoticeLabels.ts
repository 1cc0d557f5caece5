import type { PetstoreError } from '../client/errors.ts'

/** The texts of one kind of error. */
export interface ErrorLabels {
  readonly title: string
  /** What happened, and what people can do about it. */
  readonly advice: string
}

/** The labels of `ErrorNotice`. */
export interface ErrorNoticeLabels {
  readonly errors: Readonly<Record<PetstoreError['kind'], ErrorLabels>>
  /** For any error that is not a `PetstoreError`, such as the `AbortError` of a canceled request. */
  readonly otherError: ErrorLabels
  /** Follows the advice if the service may have applied the request although the call failed. */
  readonly mayHaveHappened: string
  /** Follows the advice if the service applied the request, but its response could not be read. */
  readonly hasHappened: string
  readonly retry: string
  /**
   * Beside the button during a wait for the rate limit; `wait` is a text such as "12 seconds". A wait of two minutes or
   * more also has its end: `time` is a phrase such as "at 4:15 PM" or "tomorrow at 12:00 AM".
   */
  readonly retryIn: (wait: string, time?: string) => string
  /** Replaces `retryIn` when the wait is over, and is announced then. */
  readonly retryNow: string
  /** The name of the button while the retry is under way. */
  readonly retrying: string
  /** Opens the details. */
  readonly details: string
  readonly code: string
  readonly status: string
  readonly operation: string
  /** Precedes the message of the service. */
  readonly serviceSays: string
}
