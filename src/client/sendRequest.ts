import type { Clock } from '../rate-limit/Clock.ts'
import { type ErrorContext, NetworkError, TimeoutError } from './errors.ts'
import { readText } from './readText.ts'
import { withAbort } from './withAbort.ts'

/** One HTTP request, ready to leave. */
export interface OutgoingRequest {
  /** Absolute address. */
  readonly url: string
  readonly method: string
  /** JSON text. */
  readonly body: string | undefined
  readonly key: string | undefined
}

/** What came back. */
export interface IncomingResponse {
  readonly status: number
  readonly headers: Headers
  /** Whether it came from another origin, which lets a page see only the headers that it exposes. */
  readonly isCrossOrigin: boolean
  /** Its body; `undefined` where that is too large, or of a 429 lost on the way. */
  readonly text: string | undefined
}

export interface SendOptions {
  readonly fetch: (request: Request) => Promise<Response>
  /** ms for the whole exchange, body included; `Infinity` for no bound. */
  readonly timeout: number
  /** The most bytes that a body may have. Default 100,000,000; `Infinity` for no bound. */
  readonly maxResponseSize?: number | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Sends one request and reads the response, whatever its status.
 *
 * @throws NetworkError, TimeoutError; when cancelled, the signal's reason
 */
export async function sendRequest(
  { url, method, body, key }: OutgoingRequest,
  { fetch, timeout, maxResponseSize = 100_000_000, clock, signal }: SendOptions,
  context: ErrorContext,
): Promise<IncomingResponse> {
  const json = 'application/json'
  const headers = {
    Accept: json,
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'Content-Type': json }),
  }
  const late = new AbortController()
  let head: Omit<IncomingResponse, 'text'> | undefined
  const cancelTimer = clock.wakeAfter(timeout, () => late.abort())
  try {
    return await withAbort([signal, late.signal], async (ended) => {
      // A cached response would report the quota of long ago; a followed redirect could carry the key elsewhere.
      const request = {
        method,
        headers,
        body: body ?? null,
        cache: 'no-store',
        redirect: 'manual',
        signal: ended,
      } as const
      const response = await fetch(new Request(url, request))
      head = { status: response.status, headers: response.headers, isCrossOrigin: response.type === 'cors' }
      return { ...head, text: await readText(response, maxResponseSize) }
    })
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    // Its head says it all, and the gate has to hear of it.
    if (head?.status === 429) return { ...head, text: undefined }
    throw late.signal.aborted ? new TimeoutError(context, timeout) : new NetworkError(context, cause)
  } finally {
    cancelTimer()
  }
}
