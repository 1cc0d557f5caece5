import { type Clock, longestTimer } from '../rate-limit/Clock.ts'
import { type ErrorContext, NetworkError, TimeoutError } from './errors.ts'
import { untilAborted } from './untilAborted.ts'

/** One HTTP request, ready to leave. */
export interface OutgoingRequest {
  /** Absolute address. */
  readonly url: string
  readonly method: string
  /** JSON text. */
  readonly body: string | undefined
  readonly key: string | undefined
}

/** What came back, read to its end. */
export interface IncomingAnswer {
  readonly status: number
  readonly headers: Headers
  /** Whether it came from another origin, which lets a page see only the headers that it exposes. */
  readonly isCrossOrigin: boolean
  readonly text: string
}

export interface SendOptions {
  readonly fetch: (request: Request) => Promise<Response>
  /** ms for the whole exchange, body included; `Infinity` for no bound. */
  readonly timeout: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Sends one request and reads the answer, whatever its status.
 *
 * @throws NetworkError, TimeoutError; when cancelled, the signal's reason
 */
export async function sendRequest(
  { url, method, body, key }: OutgoingRequest,
  { fetch, timeout, clock, signal }: SendOptions,
  context: ErrorContext,
): Promise<IncomingAnswer> {
  const headers = new Headers({ Accept: 'application/json' })
  if (key !== undefined) headers.set('Authorization', `Bearer ${key}`)
  if (body !== undefined) headers.set('Content-Type', 'application/json')

  const late = new AbortController()
  const cancelTimer = clock.wakeAfter(Math.min(timeout, longestTimer), () => late.abort())
  try {
    return await untilAborted([signal, late.signal], async (ended) => {
      // A cached answer would report the quota of long ago; a followed redirect could carry the key elsewhere.
      const init = { method, headers, cache: 'no-store', redirect: 'manual', signal: ended } as const
      const response = await fetch(new Request(url, body === undefined ? init : { ...init, body }))
      const { status, type } = response
      return { status, headers: response.headers, isCrossOrigin: type === 'cors', text: await response.text() }
    })
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    throw late.signal.aborted ? new TimeoutError(context, timeout) : new NetworkError(context, cause)
  } finally {
    cancelTimer()
  }
}
