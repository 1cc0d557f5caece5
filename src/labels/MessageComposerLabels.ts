import type { WaitReason } from '../rate-limit/Wait.ts'
import type { Formats } from './formats.ts'

/** The labels of `MessageComposer`. */
export interface MessageComposerLabels {
  /** Names the composer for assistive technology. */
  readonly title: string
  readonly message: string
  /** How to send with the keyboard: `apple` on devices with a Command key, `other` elsewhere and on a server. */
  readonly hint: (keyboard: 'apple' | 'other') => string
  readonly send: string
  readonly empty: string
  /** Describes the field if there is a `maxLength`: "Up to 140 characters." */
  readonly limit: (maxLength: number, format: Formats) => string
  readonly tooLong: (maxLength: number, format: Formats) => string
  /** "12 characters left". */
  readonly charactersLeft: (count: number, format: Formats) => string
  /** "3 characters over the limit". */
  readonly charactersOver: (count: number, format: Formats) => string
  /** Announced when the state of a message changes; `excerpt` is the beginning of its text. */
  readonly announcement: (excerpt: string, state: string) => string
  /** Names the list of messages. */
  readonly outbox: string
  readonly sending: string
  /** Why, and how long. The arguments are as in `CategoryFormLabels.savingIn`. */
  readonly waiting: (wait: string, time?: string, reason?: WaitReason, isEarliest?: boolean) => string
  /** The service accepted the message, but has not delivered it yet. */
  readonly queued: string
  /** Precedes any status but `queued`, which is shown as the service sent it. */
  readonly accepted: string
  readonly failed: string
  /** `reason` is the title of the error. */
  readonly failedBecause: (reason: string) => string
  readonly mayHaveBeenSent: string
  /** The service accepted the message, but its response could not be read. */
  readonly acceptedUnread: string
  readonly cancelled: string
  readonly retry: string
  readonly retryAnyway: string
  readonly edit: string
  /** Why a message cannot be edited at the moment. */
  readonly editBlocked: string
  readonly cancel: string
  readonly discard: string
  /** In the place of a discarded message, beside `undo`. */
  readonly discarded: string
  readonly undo: string
  /** Shows the whole text of a long message, and its first lines again. */
  readonly showAll: string
  readonly showLess: string
}
