import { isolate } from '../isolate.ts'
import type { Formats } from '../formats.ts'
import { withReason } from '../waitText.ts'
import { happensIn, waitReasons } from './waits.ts'

/** For the middle of a sentence. Leaves a title that begins with an abbreviation, such as "API key rejected". */
const withLowerCase = (title: string) =>
  /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title

export const messageComposer = {
  /** Names the composer for assistive technology. */
  title: 'Send a message',
  message: 'Message',
  /** How to send with the keyboard: `apple` on devices with a Command key, `other` elsewhere and on a server. */
  hint: (keyboard: 'apple' | 'other') =>
    keyboard === 'apple' ? 'Press ⌘ Return to send.' : 'Press Ctrl+Enter to send.',
  send: 'Send',
  /** On the send button until it works again. The parameters are as in `CategoryFormLabels.submitIn`. */
  sendIn: (wait: string, time?: string) => `Send ${time ?? `in ${wait}`}`,
  empty: 'Enter a message.',
  /** Describes the field if the composer has a `maxLength`. */
  limit: (maxLength: number, { plural }: Formats) =>
    plural(maxLength, { one: 'Up to # character.', other: 'Up to # characters.' }),
  tooLong: (maxLength: number, { plural }: Formats) =>
    plural(maxLength, { one: 'Shorten to # character.', other: 'Shorten to # characters or fewer.' }),
  charactersLeft: (count: number, { plural }: Formats) =>
    plural(count, { one: '# character left', other: '# characters left' }),
  charactersOver: (count: number, { plural }: Formats) =>
    plural(count, { one: '# character over the limit', other: '# characters over the limit' }),
  /** Announced when the state of a message changes; `excerpt` is the beginning of its text. */
  announcement: (excerpt: string, state: string) => `“${isolate(excerpt)}”: ${state}`,
  outbox: 'Messages',
  sending: 'Sending…',
  /** Why a message waits, and how long. The parameters are as in `CategoryFormLabels.savingIn`. */
  waiting: /* @__PURE__ */ withReason(waitReasons, /* @__PURE__ */ happensIn('Will send')),
  /** The service accepted the message, but has not delivered it yet. */
  queued: 'Queued',
  /** Precedes a status other than `queued`, which follows as the service sent it. */
  accepted: 'Accepted · status:',
  /** `reason` is the title of the error. */
  failedBecause: (reason: string) => `Not sent · ${withLowerCase(reason)}`,
  /** The service accepted the message, but its response could not be read. */
  acceptedUnread: 'Sent, but the response couldn’t be read',
  cancelled: 'Canceled',
  /** Replaces `retry` of `errorNotice` if the service may have accepted the message. */
  retryAnyway: 'Send again anyway',
  edit: 'Edit',
  /** Why a message cannot be edited at the moment. */
  editBlocked: 'Send or clear your current message first.',
  cancel: 'Cancel',
  discard: 'Discard',
  showAll: 'Show all',
  showLess: 'Show less',
}
