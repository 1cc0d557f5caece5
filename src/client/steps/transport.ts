import { developmentWarning, isDevelopment } from '../../base/development.ts'
import type { Clock } from '../../base/Clock.ts'
import { type Addresses, pageOrigin, priorityHeader } from '../buildRequest.ts'
import { type AdmittedAttempt, errorContext, type RespondedAttempt, type ResponseHead } from '../Call.ts'
import type { Step } from '../chainSteps.ts'
import { isPetstoreError, NetworkError, TimeoutError } from '../errors.ts'
import { isAbortError, isFrameworkError, untilAborted } from '../../base/abort.ts'
import type { EmitEvent } from '../PetstoreEvent.ts'
import type { Operation } from '../../contract/defineOperation.ts'
import { parseHttpDate, readRateLimitHeaders } from '../../rate-limit/rateLimitHeaders.ts'

export interface TransportOptions {
  readonly addresses: Addresses
  /** The app's. Default: the global one, without a `Request`, since Node would make a second one of it. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /** ms for one request, the body of its response included; `Infinity` for no bound. */
  readonly timeout: number
  /** Bytes that the body of a response may have; `Infinity` for no bound. */
  readonly maxResponseSize: number
  /** Whether a call was aborted for this reason because the client is closed. */
  readonly isClosing: (reason: unknown) => boolean
  readonly clock: Clock
  readonly emit: EmitEvent
}

/** ms and bytes. The status of an error says enough, so callers do not wait long for its body. */
const maxErrorBodyTime = 1_000
const maxErrorBodySize = 65_536

/** How long a request whose call was aborted goes on, in ms: until then its head may still be a 429, which concerns all calls. */
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
        // By a listener of its event.
        if (signal.aborted) stop()
        const response = await (fetch
          ? fetch((request = new Request(attempt.request.url, init)))
          : globalThis.fetch(attempt.request.url, init))
        // An app's `fetch` may ignore its signal. The gate has been told that there is no head.
        ended.throwIfAborted()
        const { status, headers, type } = response
        receivedAt = clock.now()
        head = {
          status,
          headers,
          rateLimitHeaders: readRateLimitHeaders(headers, receivedAt),
          isCrossOrigin: type === 'cors',
        }
        const reported = attempt.report(head)
        if (signal.aborted) controller.abort()
        await reported
        const isError = status >= 400
        if (isError && !ended.aborted) cleanUp.push(clock.wakeAfter(maxErrorBodyTime, () => controller.abort()))
        const maxSize = isError ? Math.min(maxErrorBodySize, maxResponseSize) : maxResponseSize
        return { ...head, receivedAt, text: await readText(response, maxSize) }
      })
    } catch (cause) {
      const isFramework = isFrameworkError(cause)
      const isTimeout = cause instanceof TimeoutError
      // A refusal does not take that long.
      if (!head) void attempt.report(undefined, isFramework || isTimeout || (signal.aborted && isAbortError(cause)))
      // The status of an error says enough without its body.
      if (head && head.status >= 400) return { ...head, receivedAt, text: undefined }
      throw isFramework || isTimeout ? cause : new NetworkError(errorContext(attempt, head), cause)
    } finally {
      for (const clean of cleanUp) clean()
    }
  }

  return async (admitted, next) => {
    const attempt = Object.assign(admitted, { attempts: admitted.attempts + 1 })
    const { attempts, previousError, signal, sentAt, waited, operation } = attempt
    let response: RespondedAttempt['response']
    try {
      response = await untilAborted(signal, () => {
        // In here, since a listener of these events may abort the call.
        if (previousError) emit(attempt, { type: 'retry', attempt: attempts, reason: previousError.kind })
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
    emit(attempt, {
      type: 'response',
      attempt: attempts,
      status,
      rateLimitHeaders,
      duration: now - sentAt,
      bodyDuration: now - receivedAt,
    })
    if (isDevelopment && process.env.NODE_ENV !== 'production') warnDeprecation(operation, headers)
    return next(Object.assign(attempt, { response }))
  }
}

/** Whether the request goes to the page's own origin, where a header of ours costs no preflight. */
function isOwnServer({ operation, request }: AdmittedAttempt, addresses: Addresses): boolean {
  if (addresses[operation.base]?.startsWith('/')) return true
  return request.url.startsWith(`${pageOrigin()}/`)
}

function createInit(attempt: AdmittedAttempt, addresses: Addresses, signal: AbortSignal): RequestInit {
  const {
    request: { method, body, headers: given },
    key,
    priority,
  } = attempt
  const json = 'application/json'
  const headers = {
    accept: json,
    ...(body !== undefined && { 'content-type': json }),
    ...(given && Object.fromEntries(given)),
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(isOwnServer(attempt, addresses) && { [priorityHeader]: priority() }),
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

/**
 * Reads the body as text; `undefined` where it has more than `maxSize` bytes. Counts bytes as they arrive, since
 * Content-Length may be missing, wrong, or the compressed size.
 */
async function readText(response: Response, maxSize: number): Promise<string | undefined> {
  const { body } = isShownAsCanceled(response) ? split(response) : response
  // The response has no body, or this `fetch` cannot stream.
  if (!body) return response.text()
  if (Number(response.headers.get('Content-Length')) > maxSize) {
    cancel(body)
    return undefined
  }
  return readStream(body, maxSize)
}

/** Chromium's developer tools do that with a `no-store` response, unless its stream has been split. */
function isShownAsCanceled({ headers }: Response): boolean {
  return typeof document !== 'undefined' && headers.get('Cache-Control')?.includes('no-store') === true
}

function split(response: Response): Response {
  const copy = response.clone()
  void response.body?.cancel().catch(() => {})
  return copy
}

/** Stops reading where the body becomes too large. */
async function readStream(body: ReadableStream<Uint8Array>, maxSize: number): Promise<string | undefined> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  while (size <= maxSize) {
    const { done, value } = await reader.read()
    if (done) return decode(chunks, size)
    chunks.push(value)
    size += value.byteLength
  }
  cancel(reader)
  return undefined
}

const cancel = (source: { readonly cancel: () => Promise<void> }) => void source.cancel().catch(() => {})

/** Decodes all bytes at once: as fast as `response.text()`, and faster than chunk by chunk. */
function decode(chunks: readonly Uint8Array[], size: number): string {
  const bytes = new Uint8Array(size)
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.byteLength
  }
  return new TextDecoder().decode(bytes)
}

/**
 * Warns developers once for each operation that is experimental, beta or deprecated, by its entry in the table or by the
 * `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers of its response.
 */
function warnDeprecation({ name, stability, deprecated }: Operation, headers: Headers): void {
  if (stability) developmentWarning(`${name} is ${stability}: the service may change it without notice.`)
  const deprecation = headers.get('Deprecation')
  const sunset = headers.get('Sunset')
  if (!deprecated && deprecation === null && sunset === null) return
  const now = Date.now()
  const since = structuredDate(deprecation)
  const end = sunset === null ? undefined : parseHttpDate(sunset)
  const date = since === undefined ? '' : since > now ? ` from ${day(since)} on` : ` since ${day(since)}`
  developmentWarning(
    `${name} is deprecated${date}. ` +
      (end === undefined ? 'The service has not said when it ends.' : `It ends on ${day(end)}.`),
    `${name} is deprecated`,
  )
}

/** Reads `@` and seconds since the epoch, with optional parameters (RFC 9651, "Dates"), as epoch ms. */
function structuredDate(text: string | null): number | undefined {
  const seconds = /^@(\d{1,11})(?![^;])/.exec(text ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1_000
}

const day = (time: number) => new Date(time).toISOString().slice(0, 10)
