import { isDevelopment } from '../../base/development.ts'
import { readStream } from '../../base/readStream.ts'
import type { Clock } from '../../base/Clock.ts'
import { type Addresses, pageOrigin, priorityHeader } from '../buildRequest.ts'
import { type AdmittedAttempt, errorContext, type RespondedAttempt, type ResponseHead, type Step } from '../Call.ts'
import { isPetstoreError, NetworkError, TimeoutError } from '../errors.ts'
import { isAbortError, isFrameworkError, untilAborted } from '../../base/abort.ts'
import type { ClientSettings, PetstoreClientOptions } from '../PetstoreClientOptions.ts'
import type { EmitEvent } from '../PetstoreEvent.ts'
import { hintAtDeprecation, hintAtHiddenHeaders, hintAtHiddenResponse, hintAtMissingHandler } from '../hints.ts'
import { readRateLimitHeaders } from '../../rate-limit/rateLimitHeaders.ts'

export interface TransportOptions
  extends Pick<ClientSettings, 'addresses' | 'timeout' | 'maxResponseSize'>,
    Pick<PetstoreClientOptions, 'fetch'> {
  /** Whether a call was aborted for this reason because the client is closed. */
  readonly isClosing: (reason: unknown) => boolean
  readonly clock: Clock
  readonly emit: EmitEvent
}

/** In ms and bytes. The status of an error says enough, so callers do not wait long for its body. */
const maxErrorBodyTime = 1_000
const maxErrorBodySize = 65_536

/** How long a request goes on after its call was aborted, in ms: its head may be a 429, which concerns all calls. */
const abortedTime = 1_000

/**
 * Sends the request and reads the response, whatever its status. Reports the head to the gate before it reads the body.
 * An aborted call rejects at once, and its request is aborted as soon as its head is known, after a second at most.
 *
 * Rejects with `NetworkError`, `TimeoutError`, the signal's reason, or the error with which a framework has ended the request.
 */
export function transport(options: TransportOptions): Step<AdmittedAttempt, RespondedAttempt> {
  const { addresses, fetch, timeout, maxResponseSize, isClosing, clock, emit } = options

  async function exchange(attempt: AdmittedAttempt): Promise<RespondedAttempt['response']> {
    const { signal } = attempt
    const controller = new AbortController()
    const ended = controller.signal
    let head: ResponseHead | undefined
    let receivedAt = 0
    const cleanUp: (() => void)[] = []
    try {
      return await untilAborted(ended, async () => {
        const init = createInit(attempt, addresses, ended)
        let request: Request | undefined
        const stop = () => {
          if (head || isClosing(signal.reason)) controller.abort()
          else cleanUp.push(clock.wakeAfter(abortedTime, () => controller.abort()))
        }
        signal.addEventListener('abort', stop)
        cleanUp.push(
          () => signal.removeEventListener('abort', stop),
          clock.wakeAfter(timeout, () => controller.abort(new TimeoutError(errorContext(attempt, head), timeout))),
          // Keeps the app's request until the end: Node never aborts one that was garbage-collected (nodejs/undici#3644).
          () => request,
        )
        // A listener of the `request` event may have aborted the call before `stop` listened.
        if (signal.aborted) stop()
        // The global `fetch` gets no `Request`: Node would make a second one of it.
        const response = await (fetch
          ? fetch((request = requestFor(attempt.request.url, init)), init)
          : globalThis.fetch(attempt.request.url, init))
        // An app's `fetch` may ignore its signal and resolve late. `catch` has told the gate that there is no head.
        ended.throwIfAborted()
        const { status, statusText, headers, type } = response
        receivedAt = clock.now()
        const rateLimitHeaders = readRateLimitHeaders(headers, receivedAt)
        head = { status, statusText, headers, rateLimitHeaders, isCrossOrigin: type === 'cors' }
        const reported = attempt.report(head)
        if (signal.aborted) controller.abort()
        await reported
        const isError = status >= 400
        if (isError && !ended.aborted) cleanUp.push(clock.wakeAfter(maxErrorBodyTime, () => controller.abort()))
        const maxSize = isError ? Math.min(maxErrorBodySize, maxResponseSize) : maxResponseSize
        const { headers: given } = attempt.request
        if (given)
          return Object.assign(head, { receivedAt, text: undefined, bytes: await readBytes(response, maxSize) })
        return Object.assign(head, { receivedAt, text: await readText(response, maxSize) })
      })
    } catch (cause) {
      const isFramework = isFrameworkError(cause)
      const isTimeout = cause instanceof TimeoutError
      // A timeout is no 429 that CORS hides: that would come sooner. How an aborted request would end is unknown.
      if (!head) void attempt.report(undefined, isFramework || isTimeout || (signal.aborted && isAbortError(cause)))
      if (isDevelopment && process.env.NODE_ENV !== 'production' && !head && !isFramework && !ended.aborted) {
        hintAtHiddenResponse(attempt.request.url)
      }
      // The status of an error says enough without its body.
      if (head && head.status >= 400) return { ...head, receivedAt, text: undefined }
      throw isFramework || isTimeout ? cause : new NetworkError(errorContext(attempt, head), cause)
    } finally {
      for (const clean of cleanUp) clean()
    }
  }

  return async (admitted, next) => {
    const attempt = Object.assign(admitted, { attempts: admitted.attempts + 1 })
    const { attempts, signal, sentAt, waited, operation } = attempt
    let response: RespondedAttempt['response']
    try {
      response = await untilAborted(signal, () => {
        // Inside `untilAborted`, since a listener of the event may abort the call.
        emit(attempt, { type: 'request', attempt: attempts, waited })
        return exchange(attempt)
      })
    } catch (error) {
      const duration = clock.now() - sentAt
      const isFailure = isPetstoreError(error) && !signal.aborted
      if (isFailure) emit(attempt, { type: 'failure', attempt: attempts, kind: error.kind, duration })
      else emit(attempt, { type: 'cancelled', attempt: attempts, duration })
      throw error
    }
    const { status, headers, rateLimitHeaders, receivedAt } = response
    const now = clock.now()
    const duration = now - sentAt
    const bodyDuration = now - receivedAt
    emit(attempt, { type: 'response', attempt: attempts, status, rateLimitHeaders, duration, bodyDuration })
    if (isDevelopment && process.env.NODE_ENV !== 'production') {
      hintAtDeprecation(operation, headers)
      hintAtHiddenHeaders(response)
      hintAtMissingHandler(attempt.request.url, response, addresses[operation.base])
    }
    return next(Object.assign(attempt, { response }))
  }
}

/** The `fetch` of another library, such as `undici`, does not know this `Request`, and takes its text as the address. */
function requestFor(url: string, init: RequestInit): Request {
  return Object.defineProperty(new Request(url, init), 'toString', { value: () => url })
}

function createInit(attempt: AdmittedAttempt, addresses: Addresses, signal: AbortSignal): RequestInit {
  const { operation, request, key, headers: added, priority } = attempt
  const { method, body, headers: given } = request
  const json = 'application/json'
  // Only within the page's origin, where one more header causes no preflight.
  const isOwnServer = addresses[operation.base]?.startsWith('/') || request.url.startsWith(`${pageOrigin()}/`)
  const headers = {
    ...added,
    ...(given ? Object.fromEntries(given) : { accept: json, ...(body !== undefined && { 'content-type': json }) }),
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(isOwnServer && { [priorityHeader]: priority() }),
  }
  return {
    method,
    headers,
    body: body ?? null,
    // A followed redirect could carry the key elsewhere.
    redirect: 'manual',
    signal,
    // A cached response would report the quota of long ago. Cloudflare Workers know the option since 2024-11-11.
    ...('cache' in Request.prototype && { cache: 'no-store' }),
  }
}

/** Reads the body as text; `undefined` where it has more than `maxSize` bytes. */
async function readText(response: Response, maxSize: number): Promise<string | undefined> {
  // The response has no body, or this `fetch` cannot stream.
  if (!response.body) return response.text()
  const bytes = await readBytes(response, maxSize)
  // All at once: as fast as `response.text()`, and faster than chunk by chunk.
  return bytes && new TextDecoder().decode(bytes)
}

/** Reads the body, up to `maxSize` bytes. Counts them, since Content-Length may be missing, wrong, or the compressed size. */
async function readBytes(response: Response, maxSize: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // Chromium's DevTools show a `no-store` response as canceled, unless a clone of it is read.
  const isNoStore = response.headers.get('Cache-Control')?.includes('no-store') === true
  const { body } = typeof document !== 'undefined' && isNoStore ? cloneOf(response) : response
  if (!body) return new Uint8Array(await response.arrayBuffer())
  if (Number(response.headers.get('Content-Length')) > maxSize) {
    void body.cancel().catch(() => {})
    return undefined
  }
  return readStream(body, maxSize)
}

function cloneOf(response: Response): Response {
  const copy = response.clone()
  void response.body?.cancel().catch(() => {})
  return copy
}
