import { AuthenticationError, type ErrorContext } from './errors.ts'

/** The API key, or how to get it. */
export type ApiKey = string | (() => string | Promise<string>)

/** Hands out the key that is to be sent. */
export interface Keyring {
  /**
   * The key; `undefined` where none is configured (a forwarding server adds its own).
   *
   * @throws AuthenticationError when the getter fails, or the key cannot stand in a header. The key is not shown.
   */
  readonly read: (context: ErrorContext) => Promise<string | undefined>
  /**
   * Another key in place of one that was refused; `undefined` if there is none. Calls whose key was refused at the same
   * time share one question.
   */
  readonly refresh: (refused: string, context: ErrorContext) => Promise<string | undefined>
}

// Visible ASCII: all that an Authorization header can carry in one piece. Line breaks would forge further headers.
const sendable = /^[\x21-\x7e]+$/

export function createKeyring(apiKey: ApiKey | undefined): Keyring {
  const refreshes = new Map<string, Promise<string | undefined>>()

  async function read(context: ErrorContext): Promise<string | undefined> {
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

  async function refresh(refused: string, context: ErrorContext): Promise<string | undefined> {
    if (typeof apiKey !== 'function') return undefined
    const known = refreshes.get(refused)
    const fresh = known ?? read(context).finally(() => refreshes.delete(refused))
    refreshes.set(refused, fresh)
    const key = await fresh
    return key === refused ? undefined : key
  }

  return { read, refresh }
}

/** `text` without the key, should the service have repeated it. */
export function redactApiKey(text: string, key: string | undefined): string {
  return key ? text.replaceAll(key, '[API key]') : text
}
