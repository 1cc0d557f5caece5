import { AuthenticationError, type ErrorContext } from './errors.ts'

/** The API key, or how to get it. */
export type ApiKey = string | (() => string | Promise<string>)

/** Hands out the key that is to be sent. */
export interface ApiKeySource {
  /**
   * The key; `undefined` where none is configured (a forwarding server adds its own).
   *
   * @throws AuthenticationError when the getter fails, or the key cannot stand in a header. The key is not shown.
   */
  readonly read: (context: ErrorContext) => Promise<string | undefined>
  /**
   * Another key in place of one that was refused; `undefined` if there is none. The calls that had read that key share
   * one question.
   */
  readonly refresh: (refused: string, context: ErrorContext) => Promise<string | undefined>
}

// Visible ASCII: all that an Authorization header can carry in one piece. Line breaks would forge further headers.
const sendable = /^[\x21-\x7e]+$/

/** That another key was asked for in place of a refused one. */
interface Renewal {
  readonly refused: string
  readonly fresh: Promise<string | undefined>
  isOver: boolean
}

export function createApiKeySource(apiKey: ApiKey | undefined): ApiKeySource {
  /** The last one: calls that had read the refused key before share it, however late they hear that it was refused. */
  let renewal: Renewal | undefined

  async function ask(context: ErrorContext): Promise<string | undefined> {
    if (apiKey === undefined) return undefined
    let key: unknown
    try {
      key = typeof apiKey === 'function' ? await apiKey() : apiKey
    } catch (cause) {
      throw new AuthenticationError(context, { problem: 'The apiKey function failed.', cause })
    }
    if (typeof key === 'string' && sendable.test(key)) return key
    const problem = 'The API key is empty, is not text, or holds white space or characters that a header cannot carry.'
    throw new AuthenticationError(context, { problem })
  }

  async function read(context: ErrorContext): Promise<string | undefined> {
    const key = await ask(context)
    // The app has come back to a key that was refused once: if it is again, there is something new to ask.
    if (renewal?.isOver && renewal.refused === key) renewal = undefined
    return key
  }

  async function refresh(refused: string, context: ErrorContext): Promise<string | undefined> {
    if (typeof apiKey !== 'function') return undefined
    if (renewal?.refused !== refused) renewal = { refused, fresh: ask(context), isOver: false }
    const mine = renewal
    let key: string | undefined = refused
    try {
      key = await mine.fresh
    } finally {
      mine.isOver = true
      if (key === refused && renewal === mine) renewal = undefined
    }
    return key === refused ? undefined : key
  }

  return { read, refresh }
}

/** `text` without the key, should the service have repeated it. */
export function redactApiKey(text: string, key: string | undefined): string {
  return key ? text.replaceAll(key, '[API key]') : text
}
