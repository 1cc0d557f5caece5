import type { Clock } from '../rate-limit/Clock.ts'
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
  const json = 'application/json'
  const headers = {
    Accept: json,
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'Content-Type': json }),
  }
  const late = new AbortController()
  const cancelTimer = clock.wakeAfter(timeout, () => late.abort())
  try {
    return await untilAborted([signal, late.signal], async (ended) => {
      // A cached answer would report the quota of long ago; a followed redirect could carry the key elsewhere.
      const request = {
        method,
        headers,
        body: body ?? null,
        cache: 'no-store',
        redirect: 'manual',
        signal: ended,
      } as const
      const response = await fetch(new Request(url, request))
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
