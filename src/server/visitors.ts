import { followSignal, untilAborted } from '../base/abort.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { Clock } from '../base/Clock.ts'
import type { PetstoreHandlerOptions } from './PetstoreHandlerOptions.ts'
import { HandlerError } from './HandlerError.ts'
import { type ApiKey, type ApiKeySource, createApiKeySource } from '../client/apiKey.ts'
import { AuthenticationError, type ErrorContext } from '../client/errors.ts'
import { hashOf } from '../base/ids.ts'

/** The id of all visitors, if the app does not tell them apart. */
const everybody = ''

export interface AuthorizationOptions extends Pick<PetstoreHandlerOptions, 'authorize'> {
  /** How long `authorize` may take, in ms. */
  readonly timeout: number
  readonly clock: Clock
}

/**
 * Asks the app whose request it is. Resolves to the id of the user.
 *
 * @throws HandlerError with 401, 403 or 504, the signal's reason, or whatever `authorize` throws
 */
export async function authorizeVisitor(
  request: Request,
  operation: Operation,
  { authorize, timeout, clock }: AuthorizationOptions,
): Promise<string> {
  if (authorize === 'everybody') return everybody
  const { url, method, headers } = request
  const controller = new AbortController()
  const { signal } = controller
  const stopFollowing = followSignal(request.signal, controller)
  const cancelTimer = clock.wakeAfter(timeout, () =>
    controller.abort(new HandlerError(504, 'timeout', 'This server took too long.')),
  )
  let user: unknown
  try {
    user = await untilAborted(signal, async () => authorize(new Request(url, { method, headers, signal }), operation))
  } finally {
    cancelTimer()
    stopFollowing()
  }
  return identifyUser(user, { authorize })
}

/**
 * Checks a user as `authorize` returned it, or as the app gave it to `prefetch`. Returns the id.
 *
 * @throws HandlerError with 401 or 403
 */
export function identifyUser(user: unknown, { authorize }: Pick<AuthorizationOptions, 'authorize'>): string {
  if (authorize === 'everybody') return everybody
  if (user === 403) throw new HandlerError(403, 'not-permitted', 'You may not do this.')
  // Untyped code may return anything. A visitor without an id is not signed in.
  if (typeof user !== 'string' || user === '') throw new HandlerError(401, 'signed-out', 'Sign in first.')
  return user
}

/** The key of a visitor, or of a call of the server itself. */
export interface VisitorKey {
  /** `undefined` where the app configures none. */
  readonly key: string | undefined
  /** Stands for the key: `first` for the first one, else a hash. Calls with different ids share no kept response. */
  readonly id: string
}

export type VisitorKeys = ReturnType<typeof createVisitorKeys>

/**
 * Reads the key of a call before any kept response is looked up: the app's function may return another key for each visitor.
 *
 * @param timeout - how long the app's function may take, in ms
 * @param onUnusable - called when the app's function fails, or returns a key that no header can carry
 */
export function createVisitorKeys(
  apiKey: ApiKey | undefined,
  timeout: number,
  clock: Clock,
  onUnusable: (error: AuthenticationError) => void,
) {
  const { read } = createApiKeySource(apiKey, timeout, clock)
  const requiredSource = createApiKeySource(typeof apiKey === 'function' ? requireKey(apiKey) : apiKey, timeout, clock)
  let hasWarned = false
  /** The first key needs no hash: most servers have only one key. */
  let first: VisitorKey | undefined

  async function identify(key: string | undefined): Promise<VisitorKey> {
    first ??= { key, id: 'first' }
    return first.key === key ? first : { key, id: (await hashOf(String(key))) ?? String(key) }
  }

  /** The client reads keys from this source. Calls share no renewed key, because each may be of another visitor. */
  const source: ApiKeySource = {
    read,
    renew: async (refused, context) => {
      if (typeof apiKey !== 'function') return undefined
      const key = await read(context)
      return key === refused ? undefined : key
    },
  }

  /** @throws AuthenticationError if no usable key can be read; HandlerError with 401 if the function returns none */
  async function readForVisitor(context: ErrorContext): Promise<VisitorKey> {
    try {
      return await identify(await requiredSource.read(context))
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error
      if (error.cause instanceof HandlerError) {
        // Warns only once: a visitor may have no key of their own. More often, though, the server's key is not set.
        if (!hasWarned) console.warn(`petstore-react: ${noKey}`)
        hasWarned = true
        throw error.cause
      }
      onUnusable(error)
      throw error
    }
  }

  return { source, identify, readForVisitor }
}

const noKey =
  'The apiKey function of the handler returned no key, so a visitor got a 401. Is the key of this server set?'

/** The app's function, which throws a HandlerError where it has no key for the visitor. */
function requireKey(apiKey: Exclude<ApiKey, string>): () => Promise<string> {
  return async () => {
    const key = await apiKey()
    // Untyped code may return `undefined`, too.
    if (!key) throw new HandlerError(401, 'signed-out', 'This server has no API key for you.')
    return key
  }
}
