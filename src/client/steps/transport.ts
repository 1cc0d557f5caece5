import { isDevelopment } from '../../base/development.ts'
import type { Clock } from '../../base/Clock.ts'
import type { Addresses } from '../baseUrl.ts'
import { type AdmittedAttempt, errorContext, type RespondedAttempt, type ResponseHead } from '../Call.ts'
import type { Step } from '../chainSteps.ts'
import { isPetstoreError, NetworkError, TimeoutError } from '../errors.ts'
import { isAbortError, withAbort } from '../../base/abort.ts'
import { isFrameworkError } from '../isFrameworkError.ts'
import type { EmitEvent } from '../PetstoreEvent.ts'
import { priorityHeader } from '../priorityHeader.ts'
import { readText } from '../readText.ts'
import { warnDeprecation } from '../warnDeprecation.ts'

export interface TransportOptions {
  readonly addresses: Addresses
  readonly fetch: (request: Request) => Promise<Response>
  /** ms for one request, the body of its response included; `Infinity` for no bound. */
  readonly timeout: number
  /** Bytes that the body of a response may have; `Infinity` for no bound. */
  readonly maxResponseSize: number
  readonly clock: Clock
  readonly emit: EmitEvent
}

/** ms and bytes. The status of an error says enough, so callers do not wait long for its body. */
const maxErrorBodyTime = 1_000
const maxErrorBodySize = 65_536

/**
 * Sends the request and reads the response, whatever its status. Reports the head to the gate before it reads the body.
 * An aborted call rejects at once, but its request goes on until the gate has the head, since a 429 concerns all calls.
 *
 * Rejects with `NetworkError`, `TimeoutError`, the signal's reason, or the error with which a framework has ended the request.
 */
export function transport(options: TransportOptions): Step<AdmittedAttempt, RespondedAttempt> {
  const { addresses, fetch, timeout, maxResponseSize, clock, emit } = options

  async function exchange(attempt: AdmittedAttempt): Promise<RespondedAttempt['response']> {
    const context = errorContext(attempt)
    const { signal } = attempt
    let head: ResponseHead | undefined
    let receivedAt = 0
    const cleanUp: (() => void)[] = []
    try {
      return await withAbort(undefined, async (ended, abort) => {
        const request = buildFetchRequest(attempt, isOwnServer(attempt, addresses), ended)
        const stopReading = () => {
          if (head) abort()
        }
        signal.addEventListener('abort', stopReading)
        cleanUp.push(
          () => signal.removeEventListener('abort', stopReading),
          clock.wakeAfter(timeout, () => abort(new TimeoutError(context, timeout))),
          // Keeps the request until the end: Node never aborts one that was garbage-collected (nodejs/undici#3644).
          () => request,
        )
        const response = await fetch(request)
        // An app's `fetch` may ignore its signal. The gate has been told that there is no head.
        ended.throwIfAborted()
        const { status, headers, type } = response
        head = { status, headers, isCrossOrigin: type === 'cors' }
        receivedAt = clock.now()
        const reported = attempt.report(head)
        if (signal.aborted) abort()
        await reported
        const isError = status >= 400
        if (isError) cleanUp.push(clock.wakeAfter(maxErrorBodyTime, abort))
        const maxSize = isError ? Math.min(maxErrorBodySize, maxResponseSize) : maxResponseSize
        return { ...head, receivedAt, text: await readText(response, maxSize) }
      })
    } catch (cause) {
      const isFramework = isFrameworkError(cause)
      if (!head) void attempt.report(undefined, isFramework || (signal.aborted && isAbortError(cause)))
      // The status of an error says enough without its body.
      if (head && head.status >= 400) return { ...head, receivedAt, text: undefined }
      throw isFramework || cause instanceof TimeoutError ? cause : new NetworkError(context, cause)
    } finally {
      for (const clean of cleanUp) clean()
    }
  }

  return async (admitted, next) => {
    const attempt = { ...admitted, attempts: admitted.attempts + 1 }
    const { attempts, previousError, signal, sentAt, waited, operation } = attempt
    let response: RespondedAttempt['response']
    try {
      response = await withAbort(signal, () => {
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
    const { status, headers, receivedAt } = response
    const now = clock.now()
    const durations = { duration: now - sentAt, bodyDuration: now - receivedAt }
    emit(attempt, { type: 'response', attempt: attempts, status, ...durations })
    if (isDevelopment && process.env.NODE_ENV !== 'production') warnDeprecation(operation, headers)
    return next({ ...attempt, response })
  }
}

/** Whether the request goes to the page's own origin, where a header of ours costs no preflight. */
function isOwnServer({ operation, request }: AdmittedAttempt, addresses: Addresses): boolean {
  if (addresses[operation.base]?.startsWith('/')) return true
  return typeof location !== 'undefined' && request.url.startsWith(`${location.origin}/`)
}

function buildFetchRequest(
  { request: { url, method, body }, key, priority }: AdmittedAttempt,
  isOwn: boolean,
  signal: AbortSignal,
): Request {
  const json = 'application/json'
  const headers = {
    Accept: json,
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'Content-Type': json }),
    ...(isOwn && { [priorityHeader]: priority() }),
  }
  // A followed redirect could carry the key elsewhere.
  const init: RequestInit = { method, headers, body: body ?? null, redirect: 'manual', signal }
  try {
    // A cached response would report the quota of long ago.
    return new Request(url, { ...init, cache: 'no-store' })
  } catch {
    // Cloudflare Workers refuse the option before the compatibility date 2024-11-11.
    return new Request(url, init)
  }
}
