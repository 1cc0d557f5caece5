import type { Clock } from '../../rate-limit/Clock.ts'
import { type AdmittedAttempt, errorContext, type RespondedAttempt, type ResponseHead } from '../Call.ts'
import type { Step } from '../chainSteps.ts'
import { NetworkError, TimeoutError } from '../errors.ts'
import type { EmitEvent } from '../PetstoreEvent.ts'
import { readText } from '../readText.ts'
import { warnDeprecation } from '../warnDeprecation.ts'
import { withAbort } from '../withAbort.ts'

export interface TransportOptions {
  readonly fetch: (request: Request) => Promise<Response>
  /** ms for one request, the body of its response included; `Infinity` for no bound. */
  readonly timeout: number
  /** Bytes that the body of a response may have; `Infinity` for no bound. */
  readonly maxResponseSize: number
  readonly clock: Clock
  readonly emit: EmitEvent
}

/**
 * Sends the request and reads the response, whatever its status. The gate hears of the head before the body is read.
 *
 * Rejects with `NetworkError`, `TimeoutError`, or the signal's reason.
 */
export function transport(options: TransportOptions): Step<AdmittedAttempt, RespondedAttempt> {
  const { fetch, timeout, maxResponseSize, clock, emit } = options

  async function send(attempt: AdmittedAttempt): Promise<RespondedAttempt['response']> {
    const timedOut = new AbortController()
    const cancelTimer = clock.wakeAfter(timeout, () => timedOut.abort())
    let head: ResponseHead | undefined
    try {
      return await withAbort([attempt.signal, timedOut.signal], async (ended) => {
        const response = await fetch(buildFetchRequest(attempt, ended))
        head = { status: response.status, headers: response.headers, isCrossOrigin: response.type === 'cors' }
        await attempt.recordHead(head)
        return { ...head, text: await readText(response, maxResponseSize) }
      })
    } catch (cause) {
      if (attempt.signal.aborted) throw attempt.signal.reason
      // The head of a refusal says everything.
      if (head?.status === 429) return { ...head, text: undefined }
      const context = errorContext(attempt)
      throw timedOut.signal.aborted ? new TimeoutError(context, timeout) : new NetworkError(context, cause)
    } finally {
      cancelTimer()
    }
  }

  return async (admitted, next) => {
    const attempt = { ...admitted, attempts: admitted.attempts + 1 }
    const { attempts, previousError, sentAt, operation } = attempt
    if (previousError) emit(attempt, { type: 'retry', attempt: attempts, reason: previousError.kind })
    emit(attempt, { type: 'request', attempt: attempts })
    const response = await send(attempt)
    const duration = clock.now() - sentAt
    emit(attempt, { type: 'response', attempt: attempts, status: response.status, duration })
    if (process.env.NODE_ENV !== 'production') warnDeprecation(operation, response.headers)
    return next({ ...attempt, response })
  }
}

function buildFetchRequest({ request: { url, method, body }, key }: AdmittedAttempt, signal: AbortSignal): Request {
  const json = 'application/json'
  const headers = {
    Accept: json,
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'Content-Type': json }),
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
