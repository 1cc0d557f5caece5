import type { PetstoreError } from '../client/errors.ts'
import type { WaitReason } from '../rate-limit/Wait.ts'
import type { Formats } from './formats.ts'
import type { WaitSentence } from './waitText.ts'

/** In lower case inside a sentence, but not where it begins with an abbreviation. */
const withLowerCase = (title: string) =>
  /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title

/** From two minutes on, a wait also has a time. */
const withTime = (wait: string, time: string | undefined) => (time === undefined ? wait : `${wait}, ${time}`)

const waitReasons: Readonly<Record<WaitReason, string>> = {
  'rate-limit': 'Waiting for the rate limit.',
  connection: "Can't reach the service.",
  service: 'The service has a problem.',
  'other-tabs': 'Waiting for other tabs.',
}

const retryingIn = (wait: string, time?: string) => `Trying again in ${withTime(wait, time)}`

/** When it happens. What fails is tried again, whether it is this request or another one. */
const happensIn =
  (will: string): WaitSentence =>
  (wait, time, reason, isEarliest) => {
    if (reason === 'connection' || reason === 'service') return `${retryingIn(wait, time)}.`
    return `${will} in ${withTime(wait, time)}${isEarliest ? ' at the earliest' : ''}.`
  }

/** Why it waits, and when it happens. */
const waits =
  (will: string): WaitSentence =>
  (wait, time, reason = 'rate-limit', isEarliest = false) =>
    `${waitReasons[reason]} ${happensIn(will)(wait, time, reason, isEarliest)}`

/** English, the default. */
export const en = {
  /** BCP 47 tag. Formats numbers and times if the provider has no `locale`. */
  locale: 'en',
  /** The labels of `CategoryForm`. */
  categoryForm: {
    /** Names the form for assistive technology. */
    title: 'New category',
    name: 'Name',
    nameHint: 'For example, Rabbit',
    description: 'Description',
    descriptionHint: 'A short description',
    /** Follows the label of an optional field. */
    optional: '(optional)',
    submit: 'Create category',
    submitting: 'Creating…',
    /** On the submit button while the service wants nothing; long waits have a `time` such as "at 4:15 PM" instead. */
    submitIn: (wait: string, time?: string) => `Create ${time ?? `in ${wait}`}`,
    /** Why the request waits: for the rate limit, the connection, the service, or other tabs. */
    waitReasons,
    /**
     * Follows the reason; `wait` is a text such as "12 seconds", and `time`, for long waits, such as "at 4:15 PM". Depends on
     * the reason, and on whether it may also take longer.
     */
    savingIn: happensIn('Will be created'),
    /** Cancels a waiting request. */
    cancel: 'Cancel',
    /** Announced after a cancellation. */
    cancelled: 'Canceled. No category was created.',
    created: (categoryName: string) => `Created “${categoryName}”.`,
    /** The button beside `created`, if no list shows the category at the moment. */
    show: 'Show',
    /** If the service created it, but its response could not be read. */
    createdUnread: (categoryName: string) => `Created “${categoryName}”, but the response couldn’t be read.`,
    /** The heading of the summary of problems. */
    problems: 'Check these fields',
    nameMissing: 'Enter a name.',
    /** The service or the schema did not accept the name. */
    nameInvalid: "This name can't be used.",
    descriptionInvalid: "This description can't be used.",
    /** Beside the advice, if the service may have created the category although the call failed. */
    mayHaveBeenCreated: 'It may still have been created. Check the list before you try again.',
    /** The submit button in that case, until the text is changed. */
    createAnyway: 'Create anyway',
  },
  /** The labels of `CategoryList`. */
  categoryList: {
    /** Names the list for assistive technology. */
    name: 'Categories',
    loading: 'Loading categories…',
    /** Shown while the request waits: why, and how long. The arguments are as in `CategoryFormLabels.savingIn`. */
    waiting: waits('Will load'),
    empty: 'No categories yet',
    /** Below `empty`. */
    emptyHint: 'New categories appear here.',
    filter: 'Filter categories',
    clearFilter: 'Clear filter',
    /** Shown when no category contains the text of the filter. */
    noMatch: (filter: string) => `No categories match “${filter}”.`,
    /** Below `noMatch`. */
    noMatchHint: 'Check the spelling, or clear the filter.',
    /** The number of categories: "6 categories". */
    total: (count: number, { plural }: Formats) => plural(count, { one: '# category', other: '# categories' }),
    /** The number of matches: "3 of 6 categories". */
    matches: (count: number, total: number, { number, plural }: Formats) =>
      `${number(count)} of ${plural(total, { one: '# category', other: '# categories' })}`,
    /** The number of rows in the page: "Showing 200 of 100,000". */
    shown: (shown: number, total: number, { number }: Formats) => `Showing ${number(shown)} of ${number(total)}`,
    showMore: (count: number, { number }: Formats) => `Show ${number(count)} more`,
    refresh: 'Refresh',
    refreshing: 'Refreshing…',
    /** Announced after a refresh. */
    refreshed: 'Categories are up to date.',
    /** Marks the row of a category that is being created. */
    pending: 'Saving…',
    /** The button that selects all categories that match the filter. */
    selectAll: 'Select all',
    /** The button that clears the whole selection. */
    clearSelection: 'Clear selection',
    /** The number of selected rows: "2 selected". */
    selected: (count: number, { number }: Formats) => `${number(count)} selected`,
  },
  /** The labels of `ErrorNotice`. */
  errorNotice: {
    errors: {
      'bad-request': {
        title: "That wasn't accepted",
        advice: "Something you entered can't be used. Change it and try again.",
      },
      authentication: {
        title: 'API key rejected',
        advice: 'The API key is missing or invalid. Check the key, then try again.',
      },
      'rate-limit': {
        title: 'Request limit reached',
        advice: 'The service limits how many requests you can make.',
      },
      server: {
        title: 'The service had a problem',
        advice: 'Please try again in a moment.',
      },
      'unexpected-status': {
        title: 'Unexpected response',
        advice:
          "The service sent a response we don't recognize. If it keeps happening, contact support and include the details below.",
      },
      'response-validation': {
        title: 'Unreadable response',
        advice:
          "We couldn't read the service's response. If it keeps happening, contact support and include the details below.",
      },
      'input-validation': {
        title: 'Check what you entered',
        advice: 'Something is missing or invalid. Nothing was sent.',
      },
      network: {
        title: "Can't reach the service",
        advice: 'Check your internet connection, then try again.',
      },
      timeout: { title: 'This is taking too long', advice: "The service didn't respond in time. Try again." },
    } satisfies Readonly<Record<PetstoreError['kind'], ErrorLabels>>,
    /** For any error that is not a `PetstoreError`, such as the `AbortError` of a canceled request. */
    otherError: { title: 'Something went wrong', advice: "The request didn't finish. Try again." },
    /** Follows the advice if the service may have applied the request although the call failed. */
    mayHaveHappened: 'It may still have gone through. Check before you try again.',
    /** Follows the advice if the service applied the request, but its response could not be read. */
    hasHappened: "It did go through, so don't try again.",
    retry: 'Try again',
    /**
     * Beside the button during a wait for the rate limit; `wait` is a text such as "12 seconds". A wait of two minutes or
     * more also has its end: `time` is a phrase such as "at 4:15 PM" or "tomorrow at 12:00 AM".
     */
    retryIn: (wait: string, time?: string) => `You can try again in ${withTime(wait, time)}.`,
    /** Replaces `retryIn` when the wait is over, and is announced then. */
    retryNow: 'You can try again now.',
    /** The name of the button while the retry is under way. */
    retrying: 'Trying again…',
    /** Opens the details. */
    details: 'Details',
    code: 'Code',
    status: 'Status',
    operation: 'Operation',
    /** Precedes the message of the service. */
    serviceSays: 'Message from the service',
  },
  /** The labels of `MessageComposer`. */
  messageComposer: {
    /** Names the composer for assistive technology. */
    title: 'Send a message',
    message: 'Message',
    /** How to send with the keyboard: `apple` on devices with a Command key, `other` elsewhere and on a server. */
    hint: (keyboard: 'apple' | 'other') =>
      keyboard === 'apple' ? 'Press ⌘ Return to send.' : 'Press Ctrl+Enter to send.',
    send: 'Send',
    /** On the send button, as `CategoryFormLabels.submitIn`. */
    sendIn: (wait: string, time?: string) => `Send ${time ?? `in ${wait}`}`,
    empty: 'Enter a message.',
    /** Describes the field if there is a `maxLength`: "Up to 140 characters." */
    limit: (maxLength: number, { plural }: Formats) =>
      plural(maxLength, { one: 'Up to # character.', other: 'Up to # characters.' }),
    tooLong: (maxLength: number, { plural }: Formats) =>
      plural(maxLength, { one: 'Shorten to # character.', other: 'Shorten to # characters or fewer.' }),
    /** "12 characters left". */
    charactersLeft: (count: number, { plural }: Formats) =>
      plural(count, { one: '# character left', other: '# characters left' }),
    /** "3 characters over the limit". */
    charactersOver: (count: number, { plural }: Formats) =>
      plural(count, { one: '# character over the limit', other: '# characters over the limit' }),
    /** Announced when the state of a message changes; `excerpt` is the beginning of its text. */
    announcement: (excerpt: string, state: string) => `“${excerpt}”: ${state}`,
    /** Names the list of messages. */
    outbox: 'Messages',
    sending: 'Sending…',
    /** Why, and how long. The arguments are as in `CategoryFormLabels.savingIn`. */
    waiting: waits('Will send'),
    /** The service accepted the message, but has not delivered it yet. */
    queued: 'Queued',
    /** Precedes any status but `queued`, which is shown as the service sent it. */
    accepted: 'Accepted · status:',
    failed: 'Not sent',
    /** `reason` is the title of the error. */
    failedBecause: (reason: string) => `Not sent · ${withLowerCase(reason)}`,
    mayHaveBeenSent: 'Delivery unknown · may have been sent',
    /** The service accepted the message, but its response could not be read. */
    acceptedUnread: "Sent, but the response couldn't be read",
    cancelled: 'Canceled',
    retry: 'Try again',
    retryAnyway: 'Send again anyway',
    edit: 'Edit',
    /** Why a message cannot be edited at the moment. */
    editBlocked: 'Send or clear your current message first.',
    cancel: 'Cancel',
    discard: 'Discard',
    /** In the place of a discarded message, beside `undo`. */
    discarded: 'Message discarded.',
    undo: 'Undo',
    /** Shows the whole text of a long message, and its first lines again. */
    showAll: 'Show all',
    showLess: 'Show less',
  },
  /** The labels of `RateLimitBadge`. */
  rateLimitBadge: {
    /** Names the badge. */
    title: 'API requests',
    /** Names the meter for assistive technology. */
    meter: 'Requests left',
    unknown: 'Checking…',
    ok: 'Available',
    low: 'Running low',
    exhausted: 'Used up',
    coolingDown: 'Paused',
    /** Requests fail without a response. */
    connection: "Can't reach the service",
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
    /** "Resumes in 42 seconds"; for long waits with a `time` such as "at 4:15 PM". */
    nextIn: (wait: string, time?: string) => `Resumes in ${withTime(wait, time)}`,
    /** Replaces `nextIn` while requests fail. */
    retryingIn,
    /** "Resets at 12:05 PM"; `time` is a phrase such as "at 12:05 PM" or "tomorrow at 12:00 AM". */
    resetsAt: (time: string) => `Resets ${time}`,
    /** Announced when requests can be sent again. */
    restored: 'You can make requests again.',
  },
}

/** The texts of one kind of error. */
export interface ErrorLabels {
  readonly title: string
  /** What happened, and what people can do about it. */
  readonly advice: string
}

/** Read-only at every depth. The words of a label belong to its language, and only its arguments to its type. */
type Labels<Group> = Group extends string
  ? string
  : Group extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof Group]: Labels<Group[Name]> }

/** All texts that the components show, in one language. */
export type PetstoreLabels = Labels<typeof en>
/** The labels of `CategoryForm`. */
export type CategoryFormLabels = PetstoreLabels['categoryForm']
/** The labels of `CategoryList`. */
export type CategoryListLabels = PetstoreLabels['categoryList']
/** The labels of `ErrorNotice`. */
export type ErrorNoticeLabels = PetstoreLabels['errorNotice']
/** The labels of `MessageComposer`. */
export type MessageComposerLabels = PetstoreLabels['messageComposer']
/** The labels of `RateLimitBadge`. */
export type RateLimitBadgeLabels = PetstoreLabels['rateLimitBadge']
