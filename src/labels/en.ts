import type { PetstoreLabels } from './PetstoreLabels.ts'
import type { WaitSentence } from './waitText.ts'

/** In lower case inside a sentence, but not where it begins with an abbreviation. */
const withLowerCase = (title: string) =>
  /^\p{Lu}\p{Ll}/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title

/** From two minutes on, a wait also has a time. */
const withTime = (wait: string, time: string | undefined) => (time === undefined ? wait : `${wait}, ${time}`)

const waitReasons: PetstoreLabels['categoryForm']['waitReasons'] = {
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
export const en: PetstoreLabels = {
  locale: 'en',
  categoryForm: {
    title: 'New category',
    name: 'Name',
    nameHint: 'For example, Rabbit',
    description: 'Description',
    descriptionHint: 'A short description',
    optional: '(optional)',
    submit: 'Create category',
    submitting: 'Creating…',
    waitReasons,
    savingIn: happensIn('Will be created'),
    cancel: 'Cancel',
    cancelled: 'Canceled. No category was created.',
    created: (name) => `Created “${name}”.`,
    show: 'Show',
    createdUnread: (name) => `Created “${name}”, but the response couldn’t be read.`,
    problems: 'Check these fields',
    nameMissing: 'Enter a name.',
    nameInvalid: "This name can't be used.",
    descriptionInvalid: "This description can't be used.",
    mayHaveBeenCreated: 'It may still have been created. Check the list before you try again.',
    createAnyway: 'Create anyway',
  },
  categoryList: {
    name: 'Categories',
    loading: 'Loading categories…',
    waiting: waits('Will load'),
    empty: 'No categories yet',
    emptyHint: 'New categories appear here.',
    filter: 'Filter categories',
    clearFilter: 'Clear filter',
    noMatch: (filter) => `No categories match “${filter}”.`,
    noMatchHint: 'Check the spelling, or clear the filter.',
    total: (count, { plural }) => plural(count, { one: '# category', other: '# categories' }),
    matches: (count, total, { number, plural }) =>
      `${number(count)} of ${plural(total, { one: '# category', other: '# categories' })}`,
    shown: (shown, total, { number }) => `Showing ${number(shown)} of ${number(total)}`,
    showMore: (count, { number }) => `Show ${number(count)} more`,
    refresh: 'Refresh',
    refreshing: 'Refreshing…',
    refreshed: 'Categories are up to date.',
    pending: 'Saving…',
    selectAll: 'Select all',
    clearSelection: 'Clear selection',
    selected: (count, { number }) => `${number(count)} selected`,
  },
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
    },
    otherError: { title: 'Something went wrong', advice: "The request didn't finish. Try again." },
    mayHaveHappened: 'It may still have gone through. Check before you try again.',
    hasHappened: "It did go through, so don't try again.",
    retry: 'Try again',
    retryIn: (wait, time) => `You can try again in ${withTime(wait, time)}.`,
    retryNow: 'You can try again now.',
    retrying: 'Trying again…',
    details: 'Details',
    code: 'Code',
    status: 'Status',
    operation: 'Operation',
    serviceSays: 'Message from the service',
  },
  messageComposer: {
    title: 'Send a message',
    message: 'Message',
    hint: (keyboard) => (keyboard === 'apple' ? 'Press ⌘ Return to send.' : 'Press Ctrl+Enter to send.'),
    send: 'Send',
    empty: 'Enter a message.',
    limit: (maxLength, { plural }) => plural(maxLength, { one: 'Up to # character.', other: 'Up to # characters.' }),
    tooLong: (maxLength, { plural }) =>
      plural(maxLength, { one: 'Shorten to # character.', other: 'Shorten to # characters or fewer.' }),
    charactersLeft: (count, { plural }) => plural(count, { one: '# character left', other: '# characters left' }),
    charactersOver: (count, { plural }) =>
      plural(count, { one: '# character over the limit', other: '# characters over the limit' }),
    announcement: (excerpt, state) => `“${excerpt}”: ${state}`,
    outbox: 'Messages',
    sending: 'Sending…',
    waiting: waits('Will send'),
    queued: 'Queued',
    accepted: 'Accepted · status:',
    failed: 'Not sent',
    failedBecause: (reason) => `Not sent · ${withLowerCase(reason)}`,
    mayHaveBeenSent: 'Delivery unknown · may have been sent',
    acceptedUnread: "Sent, but the response couldn't be read",
    cancelled: 'Canceled',
    retry: 'Try again',
    retryAnyway: 'Send again anyway',
    edit: 'Edit',
    editBlocked: 'Send or clear your current message first.',
    cancel: 'Cancel',
    discard: 'Discard',
    discarded: 'Message discarded.',
    undo: 'Undo',
    showAll: 'Show all',
    showLess: 'Show less',
  },
  rateLimitBadge: {
    title: 'API requests',
    meter: 'Requests left',
    unknown: 'Checking…',
    ok: 'Available',
    low: 'Running low',
    exhausted: 'Used up',
    coolingDown: 'Paused',
    connection: "Can't reach the service",
    service: 'The service has a problem',
    remaining: (remaining, limit, { number, plural }) =>
      `${number(remaining)} of ${plural(limit, { one: '# request left', other: '# requests left' })}`,
    remainingOnly: (remaining, { plural }) => plural(remaining, { one: '# request left', other: '# requests left' }),
    remainingShort: (remaining, limit, { number }) => `${number(remaining)}/${number(limit)}`,
    nextIn: (wait, time) => `Resumes in ${withTime(wait, time)}`,
    retryingIn,
    resetsAt: (time) => `Resets ${time}`,
    restored: 'You can make requests again.',
  },
}
