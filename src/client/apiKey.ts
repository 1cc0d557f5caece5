import { isDevelopment } from '../base/development.ts'
import type { Clock } from '../base/Clock.ts'
import { isFrameworkError, withTimeout } from '../base/abort.ts'
import { AuthenticationError, type ErrorContext } from './errors.ts'

/** The API key, or a function that returns it. */
export type ApiKey = string | (() => string | Promise<string>)

/** Reads the API key from the app. */
export interface ApiKeySource {
  /**
   * The key; `undefined` where none is configured (the handler on a server adds its own).
   *
   * @throws AuthenticationError when the app's function fails, or a header cannot carry the key. Never shows the key.
   */
  readonly read: (context: ErrorContext) => string | undefined | Promise<string | undefined>
  /** Asks the app for a key in place of a refused one, once for all calls with that key; `undefined` if it has none. */
  readonly renew: (refused: string, context: ErrorContext) => Promise<string | undefined>
}

/** Whether an Authorization header can carry the key: visible ASCII. A line break would forge further headers. */
export const isSendableKey = (key: string): boolean => sendable.test(key)

const sendable = /^[\x21-\x7e]+$/

const tooLate = Symbol('too late')

/** @param timeout how long the app's function may take, in ms */
export function createApiKeySource(apiKey: ApiKey | undefined, timeout: number, clock: Clock): ApiKeySource {
  if (typeof apiKey !== 'function') {
    return {
      read: (context) => (apiKey === undefined ? undefined : usableKey(apiKey, context)),
      renew: async () => undefined,
    }
  }
  /** The last replacement of a refused key. All calls with that key share it, however late they learn of the refusal. */
  let renewal: { refused: string; renewed: Promise<string>; isSettled: boolean } | undefined

  const readFromApp = async (context: ErrorContext): Promise<string> => {
    let key: unknown
    try {
      key = await withTimeout<unknown>(apiKey(), timeout, clock, () => tooLate)
    } catch (cause) {
      if (isFrameworkError(cause)) throw cause
      throw new AuthenticationError(context, { problem: 'The apiKey function failed.', cause })
    }
    if (key === tooLate) {
      throw new AuthenticationError(context, { problem: `The apiKey function did not settle within ${timeout} ms.` })
    }
    return usableKey(key, context)
  }

  async function read(context: ErrorContext): Promise<string> {
    const key = await readFromApp(context)
    // The app uses a key again that was refused before. If the service refuses it again, `renew` asks the app again.
    if (renewal?.isSettled && renewal.refused === key) renewal = undefined
    return key
  }

  async function renew(refused: string, context: ErrorContext): Promise<string | undefined> {
    if (renewal?.refused !== refused) renewal = { refused, renewed: readFromApp(context), isSettled: false }
    const current = renewal
    let key: string | undefined = refused // stays so if the read fails: the next refusal then reads again
    try {
      key = await current.renewed
    } finally {
      current.isSettled = true
      if (key === refused && renewal === current) renewal = undefined
    }
    return key === refused ? undefined : key
  }

  return { read, renew }
}

function usableKey(key: unknown, context: ErrorContext): string {
  if (typeof key === 'string' && isSendableKey(key)) return key
  const problem = isDevelopment
    ? 'The API key is empty, is not text, or holds white space or characters that a header cannot carry.'
    : 'The API key cannot be used.'
  throw new AuthenticationError(context, { problem })
}

/** Removes the API key from a text of the service or the app, in case it repeats the key. */
export type Redact = (text: string) => string

/** Whether a key is so short that any text may hold it by chance, such as `demo`. */
export const isShortKey = (key = ''): boolean => key.length < 8

/** Replaces the key: plain, percent-encoded, or in Base64 with or without `Bearer `. Within a word, a short key stays. */
export function createRedact(key: string | undefined): Redact {
  if (!key) return (text) => text
  const forms = [btoa(`Bearer ${key}`), btoa(key), encodeURIComponent(key), key]
  const occurrences = new RegExp(forms.map((form) => form.replaceAll(/\W/g, '\\$&')).join('|'), 'g')
  return (text) =>
    text.replace(occurrences, (found: string, at: number) => {
      const neighbors = text.charAt(at - 1) + text.charAt(at + found.length)
      return isShortKey(key) && /[\p{L}\p{N}]/u.test(neighbors) ? found : '[API key]'
    })
}
