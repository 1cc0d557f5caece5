import type { WaitReason } from '../rate-limit/Wait.ts'

/** The labels of `CategoryForm`. */
export interface CategoryFormLabels {
  /** Names the form for assistive technology. */
  readonly title: string
  readonly name: string
  readonly nameHint: string
  readonly description: string
  readonly descriptionHint: string
  /** Follows the label of an optional field. */
  readonly optional: string
  readonly submit: string
  readonly submitting: string
  /** Why the request waits: for the rate limit, the connection, the service, or other tabs. */
  readonly waitReasons: Readonly<Record<WaitReason, string>>
  /**
   * Follows the reason; `wait` is a text such as "12 seconds", and `time`, for long waits, such as "at 4:15 PM". Depends on
   * the reason, and on whether it may also take longer.
   */
  readonly savingIn: (wait: string, time?: string, reason?: WaitReason, isEarliest?: boolean) => string
  /** Cancels a waiting request. */
  readonly cancel: string
  /** Announced after a cancellation. */
  readonly cancelled: string
  readonly created: (categoryName: string) => string
  /** The button beside `created`, if no list shows the category at the moment. */
  readonly show: string
  /** If the service created it, but its response could not be read. */
  readonly createdUnread: (categoryName: string) => string
  /** The heading of the summary of problems. */
  readonly problems: string
  readonly nameMissing: string
  /** The service or the schema did not accept the name. */
  readonly nameInvalid: string
  readonly descriptionInvalid: string
  /** Beside the advice, if the service may have created the category although the call failed. */
  readonly mayHaveBeenCreated: string
  /** The submit button in that case, until the text is changed. */
  readonly createAnyway: string
}
