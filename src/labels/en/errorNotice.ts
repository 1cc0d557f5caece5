import type { PetstoreError } from '../../client/errors.ts'
import { withTime } from './waits.ts'

/** The texts of one kind of error. */
export interface ErrorLabels {
  readonly title: string
  /** The problem, and how people can solve it. */
  readonly advice: string
}

export const errorNotice = {
  /** What failed, by the `kind` of the error, and what people can do about it. */
  errors: {
    'bad-request': { title: 'Something you entered can’t be used', advice: 'Change it, then try again.' },
    authentication: { title: 'API key rejected', advice: 'The API key is missing or invalid.' },
    'rate-limit': { title: 'Request limit reached', advice: 'The service limits how many requests you can make.' },
    server: { title: 'The service has a problem', advice: 'Try again in a moment.' },
    'unexpected-status': { title: 'Unexpected response', advice: 'The service sent a response we don’t recognize.' },
    'response-validation': { title: 'Unreadable response', advice: 'We couldn’t read the service’s response.' },
    'input-validation': { title: 'Check these fields', advice: 'Something is missing or invalid. Nothing was sent.' },
    network: { title: 'Can’t reach the service', advice: 'Check your internet connection, then try again.' },
    timeout: { title: 'This is taking too long', advice: 'The service didn’t respond in time. Try again.' },
  } satisfies Readonly<Record<PetstoreError['kind'], ErrorLabels>>,
  /** For any error that is not a `PetstoreError`, such as the `AbortError` of a canceled request. */
  otherError: { title: 'Something went wrong', advice: 'The request didn’t finish. Try again.' },
  /** Texts for situations that a kind of error alone does not say. */
  situations: {
    /** A request limit that lasts until another day. */
    limitToday: { title: 'Request limit reached for today', advice: 'No requests are left for today.' },
    /** The service has banned the key for a time: 403 with `Retry-After`. */
    keyPaused: { title: 'API key paused by the service', advice: 'The service has paused this API key.' },
    /** 403 without `Retry-After`. */
    forbidden: { title: 'Not allowed', advice: 'This API key doesn’t have permission.' },
    /** 401 in a page without an API key, or with the code `signed-out`: the app's server wants people to sign in. */
    signedOut: { title: 'You’re signed out', advice: 'Sign in, then try again.' },
    /** Replaces `forbidden` in a page without an API key. */
    notPermitted: { title: 'Not allowed', advice: 'You don’t have permission to do this.' },
    /** Replaces `keyPaused` in a page without an API key. */
    servicePaused: { title: 'Paused by the service', advice: 'The service has paused your requests.' },
    /** Without a connection. The advice is shown for a call that waits, never for one that has failed. */
    offline: { title: 'You’re offline', advice: 'Changes are sent when you’re back.' },
    /** The service may have applied the request although the call failed. */
    mayHaveHappened: { title: 'It may have gone through', advice: 'Check before you try again.' },
    /** The service applied the request, but its response could not be read. */
    hasHappened: { title: 'It went through, but the response couldn’t be read', advice: 'Don’t send it again.' },
  },
  /** Replaces the advice when a retry has failed in the same way. */
  stillFailing: 'Still failing · just now.',
  retry: 'Try again',
  /** Replaces `retry` where the service may have applied the request. */
  retryAnyway: 'Try again anyway',
  /**
   * Beside the button during a wait for the request limit. `wait` is a text such as "12 seconds". For two minutes or
   * more, `time` is one such as "at 4:15 PM" or "tomorrow at 12:00 AM". If that is another day, `time` alone says when.
   */
  retryIn: (wait: string, time?: string, isAnotherDay = false) =>
    `You can try again ${isAnotherDay ? time : `in ${withTime(wait, time)}`}.`,
  /** Replaces `retryIn` while the service has paused the key; `time` is a text such as "4:15 PM". */
  pausedFor: (wait: string, time?: string) =>
    `Nothing is sent ${time === undefined ? `for ${wait}` : `until ${time}`}.`,
  /** Replaces `retryIn` when the wait is over, and is announced then. */
  retryNow: 'You can try again now.',
  /** The name of the button while the retry is under way. */
  retrying: 'Trying again…',
  details: 'Details',
  code: 'Code',
  status: 'Status',
  operation: 'Operation',
  /** Precedes the `callId` of the error, by which its events can be found. */
  callId: 'Call ID',
  headers: 'Response headers',
  serviceSays: 'Message from the service',
}
