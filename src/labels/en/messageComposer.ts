import { isolate } from '../isolate.ts'
import type { Formats } from '../formats.ts'
import { withReason } from '../waitText.ts'
import { happensIn, waitReasons } from './waits.ts'

/** In lower case inside a sentence, but not where it begins with an abbreviation. */
const withLowerCase = (title: string) =>
  /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title

/** The English labels of `MessageComposer`, apart from the others: an app loads only those of its components. */
export const messageComposer = {
  /** Names the composer for assistive technology. */
  title: 'Send a message',
  /** The label of the field. */
  message: 'Message',
  /** How to send with the keyboard: `apple` on devices with a Command key, `other` elsewhere and on a server. */
  hint: (keyboard: 'apple' | 'other') =>
    keyboard === 'apple' ? 'Press ⌘ Return to send.' : 'Press Ctrl+Enter to send.',
  /** The submit button. */
  send: 'Send',
  /** On the send button, as `CategoryFormLabels.submitIn`. */
  sendIn: (wait: string, time?: string) => `Send ${time ?? `in ${wait}`}`,
  /** The error of an empty message. */
  empty: 'Enter a message.',
  /** Describes the field if there is a `maxLength`: "Up to 140 characters." */
  limit: (maxLength: number, { plural }: Formats) =>
    plural(maxLength, { one: 'Up to # character.', other: 'Up to # characters.' }),
  /** The error of a message above `maxLength`. */
  tooLong: (maxLength: number, { plural }: Formats) =>
    plural(maxLength, { one: 'Shorten to # character.', other: 'Shorten to # characters or fewer.' }),
  /** "12 characters left". */
  charactersLeft: (count: number, { plural }: Formats) =>
    plural(count, { one: '# character left', other: '# characters left' }),
  /** "3 characters over the limit". */
  charactersOver: (count: number, { plural }: Formats) =>
    plural(count, { one: '# character over the limit', other: '# characters over the limit' }),
  /** Announced when the state of a message changes; `excerpt` is the beginning of its text. */
  announcement: (excerpt: string, state: string) => `“${isolate(excerpt)}”: ${state}`,
  /** Names the list of messages. */
  outbox: 'Messages',
  /** While the message is on its way. */
  sending: 'Sending…',
  /** Why, and how long. The arguments are as in `CategoryFormLabels.savingIn`. */
  waiting: /* @__PURE__ */ withReason(waitReasons, /* @__PURE__ */ happensIn('Will send')),
  /** The service accepted the message, but has not delivered it yet. */
  queued: 'Queued',
  /** Precedes any status but `queued`, which is shown as the service sent it. */
  accepted: 'Accepted · status:',
  /** The message was not sent. `reason` is the title of the error. */
  failedBecause: (reason: string) => `Not sent · ${withLowerCase(reason)}`,
  /** The service accepted the message, but its response could not be read. */
  acceptedUnread: 'Sent, but the response couldn’t be read',
  /** Someone has canceled the message. */
  cancelled: 'Canceled',
  /** The button that sends a message again. */
  retry: 'Try again',
  /** The same, if the service may have accepted the message already. */
  retryAnyway: 'Send again anyway',
  /** The button that moves a message back into the field. */
  edit: 'Edit',
  /** Why a message cannot be edited at the moment. */
  editBlocked: 'Send or clear your current message first.',
  /** The button that stops a message which waits. */
  cancel: 'Cancel',
  /** The button that removes a message. */
  discard: 'Discard',
  /** Shows the whole text of a long message. */
  showAll: 'Show all',
  /** Shows the first lines alone. */
  showLess: 'Show less',
}
