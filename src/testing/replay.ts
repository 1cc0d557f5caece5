import * as z from 'zod/mini'
import { createClientWith } from '../client/createPetstoreClient.ts'
import type { PetstoreClientOptions } from '../client/PetstoreClientOptions.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import {
  addToTraces,
  type AttemptTrace,
  type CallTrace,
  type Recording,
  recordingVersion,
} from '../client/recording.ts'

import { defineOperation, type Operation } from '../contract/defineOperation.ts'
import type { GateRecord } from '../rate-limit/GateRecord.ts'
import type { RateLimitHeaders } from '../rate-limit/rateLimitHeaders.ts'
import type { RateLimitStore } from '../rate-limit/RateLimitStore.ts'
import { readRecord } from '../rate-limit/GateRecord.ts'
import { createPetstoreService } from './createPetstoreService.ts'
import type { PetstoreServiceOptions } from './readOptions.ts'
import { createVirtualClock, type VirtualClock } from './virtualClock.ts'

/** How a recording is replayed. */
export interface ReplayOptions {
  /** Options of the client that replace the recorded ones. */
  readonly client?: Pick<PetstoreClientOptions, 'plan' | 'rateLimitStore' | 'retry' | 'timeout'>
  /** Options of an in-memory service that responds to all requests. Default: they get the recorded responses. */
  readonly service?: Omit<PetstoreServiceOptions, 'keys' | 'now' | 'operations' | 'sleep'>
  /**
   * By how much a time may differ, in ms. Default 1,000: waits at the gate have up to half a second of chance, and timers
   * of a busy page are late.
   */
  readonly tolerance?: number
}

/** Something that does not happen as it was recorded. */
export interface ReplayDifference {
  /** When it was recorded, or when it happens now if that is earlier, in ms since the recording began. */
  readonly at: number
  /** Name of the operation. */
  readonly operation: string
  /** The call, as in the recording. */
  readonly callId: string
  /** What was recorded, such as "request 2 left at 61.2 s". */
  readonly recorded: string
  /** What happens now. */
  readonly now: string
}

/**
 * Plays a recording of the developer tools ("Copy as JSON") against the gate and the client of this version, in virtual
 * time, and returns where they behave differently, in the order of time: nothing where they do not. Each call begins when it began, is canceled when it was, and each of its
 * requests gets the response that it got. A request that was not recorded gets what the service responded last.
 *
 * The requests of other tabs are not replayed: the gate knows of them what the recorded responses say.
 *
 * @param recording - the copied text, or what `JSON.parse` makes of it
 * @throws TypeError when it is no recording, or one of another version
 */
export async function replay(
  recording: string | object,
  options: ReplayOptions = {},
): Promise<readonly ReplayDifference[]> {
  const recorded = readRecording(recording)
  const played = await playRecording(recorded, options)
  return recorded.calls
    .flatMap((call, index) => differencesOf(call, played[index], recorded, options.tolerance))
    .toSorted((one, other) => one.at - other.at)
}

const baseUrl = 'https://replay.petstore.test/v1'

/** Plays the calls, and returns what happens to each of them until the recording ends. */
export async function playRecording(
  recorded: Recording,
  { client: given, service }: ReplayOptions = {},
): Promise<readonly (CallTrace | undefined)[]> {
  const { from, at: end, settings, calls } = recorded
  const { flush, close } = createFlush()
  const clock = createVirtualClock(from, flush)
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.wakeAfter(ms, resolve))
  const recordedCalls = new Map(calls.map((call) => [call.callId, call]))
  const served = service && createServedFetch(service, calls, clock, sleep)
  let traces: readonly CallTrace[] = []
  /** What `apiKey` returns, and how long that takes for the call that begins now, in ms. */
  let key = firstKey
  let keyTime = 0
  /** 0 to 1: the chance of the recorded backoff that begins now. */
  let chance = 0.5
  /** The request that leaves now. */
  let leaving: { readonly call: CallTrace; readonly attempt: number } | undefined

  async function respond(request: Request): Promise<Response> {
    if (!leaving || served) return served ? served(request) : never()
    const { call, attempt } = leaving
    const known = call.attempts.find((one) => one.attempt === attempt)
    if (known?.sentAt === undefined) {
      await sleep(additionalLatency)
      return lastResponse(calls, clock.now())
    }
    const { result } = known
    if (!result) return never()
    const next = call.attempts.find((one) => one.attempt === attempt + 1)
    const arrive = () => {
      chance = recordedChance(call, known, next)
      if ('status' in result && result.status === 401 && next) key = nextKey(key)
    }
    if (!('status' in result)) {
      // The client's own timer ends a request that takes too long, and a caller one that is canceled.
      await sleep(result.failure === 'timeout' ? result.duration - 1 : result.duration)
      arrive()
      if (result.failure === 'timeout' || result.failure === 'cancelled') return never()
      throw new TypeError('Failed to fetch')
    }
    const { status, rateLimitHeaders, duration, bodyDuration } = result
    await sleep(duration - bodyDuration)
    arrive()
    return responseOf(status, headersOf(rateLimitHeaders), async () => {
      if (bodyDuration > 0) await sleep(bodyDuration)
      arrive()
      return bodyOf(call, next)
    })
  }

  const client = createClientWith(
    { clock, random: () => chance },
    {
      baseUrl,
      apiKey: async () => {
        const time = keyTime
        keyTime = 0
        if (time > 0) await sleep(time)
        return key
      },
      fetch: respond,
      rateLimitStore: createStoreFrom(startOf(recorded)),
      retry: settings.retry,
      timeout: settings.timeout,
      plan: settings.pace,
      ...given,
    },
  )
  const unsubscribe = client.subscribe((event) => {
    const call = event.callId === undefined ? undefined : recordedCalls.get(event.operation)
    if (!call || event.callId === undefined) return
    // The client calls `fetch` with the request right after this event.
    if (event.type === 'request') leaving = { call, attempt: event.attempt }
    const { callId, operation } = call
    traces = addToTraces(traces, { ...event, callId, operation })
  })
  for (const call of calls) {
    clock.wakeAfter(call.startedAt - from, () => {
      keyTime = call.keyTime ?? 0
      begin(client, call, clock)
    })
  }
  try {
    await clock.run(end)
  } finally {
    unsubscribe()
    client.close()
    close()
  }
  return calls.map(({ callId }) => traces.find((trace) => trace.callId === callId))
}

/** How long a request takes that was not recorded, in ms. */
const additionalLatency = 100

const firstKey = 'replay-1'
const nextKey = (key: string) => `replay-${Number(key.slice(7)) + 1}`

function begin(client: PetstoreClient, call: CallTrace, clock: VirtualClock): void {
  const { priority = 'user', end } = call
  const canceling = new AbortController()
  const { signal } = canceling
  if (end?.result === 'cancelled') clock.wakeAfter(end.at - clock.now(), () => canceling.abort())
  // How it ends is in its events.
  client.call(operationOf(call), undefined, { priority, signal }).catch(() => {})
}

const pathOf = ({ address = '0' }: CallTrace) => `/replay/${encodeURIComponent(address)}` as const

/** An operation for one call alone, which has its id as the name. Its result is as good as the recorded one. */
function operationOf(call: CallTrace): Operation<undefined> {
  const { callId, replay: policy = 'only-if-refused', end } = call
  return defineOperation({
    name: callId,
    path: pathOf(call),
    method: policy === 'safe' ? 'GET' : 'POST',
    replay: policy,
    output: z.null(),
    success: end?.result === 'unexpected-status' ? [] : 'any-2xx',
  })
}

/** A body that leads to the recorded result. Errors need none. */
function bodyOf({ end }: CallTrace, next: AttemptTrace | undefined): string {
  if (next) return 'not JSON'
  return end?.result === 'response-validation' ? '"unreadable"' : 'null'
}

/** Where a recorded retry waited by chance: how long, from 0 to 1 of what it could have been. */
function recordedChance({ attempts }: CallTrace, attempt: AttemptTrace, next: AttemptTrace | undefined): number {
  const { sentAt, result } = attempt
  if (next?.queuedAt === undefined || sentAt === undefined || !result) return 0.5
  if ('status' in result && (result.status === 429 || result.status === 401)) return 0.5
  const failures = attempts.filter((one) => one.attempt <= attempt.attempt && !isRefused(one)).length
  const longest = Math.min(30_000, 1_000 * 2 ** (failures - 1))
  return Math.min(1, Math.max(0, (next.queuedAt - sentAt - result.duration) / longest))
}

function isRefused({ result }: AttemptTrace): boolean {
  return result !== undefined && 'status' in result && (result.status === 429 || result.status === 401)
}

/** What the service responded last, for a request that was not recorded. A wait that it asked for goes on. */
function lastResponse(calls: readonly CallTrace[], now: number): Response {
  interface Arrival {
    readonly at: number
    readonly status: number
    readonly headers: RateLimitHeaders
  }
  let last: Arrival = { at: -Infinity, status: 200, headers: {} }
  for (const { sentAt, result } of calls.flatMap(({ attempts }) => attempts)) {
    if (sentAt === undefined || !result || !('status' in result)) continue
    const at = sentAt + result.duration - result.bodyDuration
    if (at <= now && at > last.at) last = { at, status: result.status, headers: result.rateLimitHeaders }
  }
  const { at, status, headers } = last
  const { retryIn, retryDate, limit, remaining, resetAt } = headers
  const until = retryIn === undefined ? (retryDate ?? -Infinity) : at + retryIn
  const isOver = status === 429 && until <= now
  const quota = resetAt !== undefined && resetAt > now ? { limit, remaining, resetAt } : {}
  const rest = headersOf({ ...quota, retryIn: until > now ? until - now : undefined })
  return responseOf(isOver ? 200 : status, rest, async () => 'null')
}

/**
 * A response with a body that can be read without real time, as no stream can. Pages see some responses with a status that
 * none can be made with: 0 for a redirect.
 */
function responseOf(status: number, headers: Headers, text: () => Promise<string>): Response {
  return Object.defineProperties(new Response(null, { headers }), { status: { value: status }, text: { value: text } })
}

const never = () => new Promise<never>(() => {})

function headersOf({ limit, remaining, resetAt, retryIn, retryDate, date }: RateLimitHeaders): Headers {
  const headers = new Headers()
  const set = (name: string, value: number | undefined) => {
    if (value !== undefined) headers.set(name, String(value))
  }
  set('X-RateLimit-Limit', limit)
  set('X-RateLimit-Remaining', remaining)
  // A value so large is one in ms.
  set('X-RateLimit-Reset', resetAt !== undefined && resetAt <= 1e11 ? resetAt / 1_000 : resetAt)
  if (retryIn !== undefined) headers.append('Retry-After', String(retryIn / 1_000))
  if (retryDate !== undefined) headers.append('Retry-After', new Date(retryDate).toUTCString())
  if (date !== undefined) headers.set('Date', new Date(date).toUTCString())
  return headers
}

/** The `fetch` of an in-memory service that serves the operations of the recording. */
function createServedFetch(
  options: NonNullable<ReplayOptions['service']>,
  calls: readonly CallTrace[],
  clock: VirtualClock,
  sleep: (ms: number) => Promise<void>,
): (request: Request) => Promise<Response> {
  const byAddress = new Map(calls.map((call) => [`${operationOf(call).method} ${pathOf(call)}`, call]))
  const operations = [...byAddress.values()].map((call) => {
    const statuses = call.attempts.map(({ result }) => (result && 'status' in result ? result.status : 0))
    const status = statuses.find((one) => one >= 200 && one < 300) ?? 200
    return { operation: operationOf(call), handle: () => ({ status, body: null }) }
  })
  const service = createPetstoreService({ ...options, keys: [firstKey], now: clock.now, sleep, operations })
  return (request) => service.fetch(request)
}

/** What the gate knew at the beginning, with the addresses of the replay. */
function startOf({ start }: Recording): GateRecord {
  return start
}

/** A store whose first record is given: that of the first key. */
function createStoreFrom(start: GateRecord): RateLimitStore {
  const records = new Map<string, unknown>()
  return {
    inMemory: true,
    update: async (name, change) => {
      const stored = records.size === 0 && start.updatedAt > 0 ? start : records.get(name)
      records.set(name, change(stored))
    },
    subscribe: () => () => {},
  }
}

/** Waits until all pending promises have settled. Fake timers of a test do not stop messages. */
function createFlush(): { readonly flush: () => Promise<void>; readonly close: () => void } {
  const { port1, port2 } = new MessageChannel()
  let onMessage = () => {}
  port1.onmessage = () => onMessage()
  return {
    flush: () =>
      new Promise((resolve) => {
        onMessage = resolve
        port2.postMessage(undefined)
      }),
    close: () => port1.close(),
  }
}

/** What differs between a call as it was recorded and as it goes now. */
export function differencesOf(
  call: CallTrace,
  now: CallTrace | undefined,
  { from, at: recordingEnd }: Recording,
  tolerance = 1_000,
): readonly ReplayDifference[] {
  const { callId, operation } = call
  const found: ReplayDifference[] = []
  const timeOf = (time: number) => `at ${((time - from) / 1_000).toFixed(1)} s`

  /** Compares something that happens at a time. What happens with the end of the recording may be in it or not. */
  function compare(recorded: Moment | undefined, played: Moment | undefined, missing: string): void {
    const at = Math.min(recorded?.at ?? Infinity, played?.at ?? Infinity)
    if (at > recordingEnd - tolerance || (!recorded && !played)) return
    const isEqual = recorded?.what === played?.what && Math.abs((recorded?.at ?? 0) - (played?.at ?? 0)) <= tolerance
    if (isEqual) return
    const textOf = (moment: Moment | undefined) => (moment ? `${moment.what} ${timeOf(moment.at)}` : missing)
    found.push({ at: at - from, operation, callId, recorded: textOf(recorded), now: textOf(played) })
  }

  const attempts = Math.max(call.attempts.length, now?.attempts.length ?? 0)
  for (let number = 1; number <= attempts; number += 1) {
    const recorded = call.attempts.find(({ attempt }) => attempt === number)
    const played = now?.attempts.find(({ attempt }) => attempt === number)
    compare(leavingOf(recorded), leavingOf(played), `request ${number} did not leave`)
    // What follows from a request at another time is no difference of its own.
    if (found.length > 0) return found
    if (recorded?.result && played?.result) compare(resultOf(recorded), resultOf(played), '')
  }
  compare(endOf(call), endOf(now), 'the call did not end')
  return found
}

/** Something that happens to a call. */
interface Moment {
  readonly what: string
  /** Epoch ms. */
  readonly at: number
}

function leavingOf(attempt: AttemptTrace | undefined): Moment | undefined {
  return attempt?.sentAt === undefined ? undefined : { what: `request ${attempt.attempt} left`, at: attempt.sentAt }
}

function resultOf({ attempt, sentAt = 0, result }: AttemptTrace): Moment | undefined {
  if (!result) return undefined
  const what = 'status' in result ? `got ${result.status}` : `ended with ${result.failure}`
  return { what: `request ${attempt} ${what}`, at: sentAt + result.duration }
}

function endOf(call: CallTrace | undefined): Moment | undefined {
  return call?.end && { what: `the call ended with ${call.end.result}`, at: call.end.at }
}

const failureKinds = [
  'bad-request',
  'authentication',
  'rate-limit',
  'server',
  'unexpected-status',
  'response-validation',
  'input-validation',
  'network',
  'timeout',
] as const

const number = z.number()
/** JSON has no infinity, and writes `null`. */
const duration = z.pipe(
  z.nullable(number),
  z.transform((value) => value ?? Infinity),
)
const headersSchema = z.object({
  limit: z.optional(number),
  remaining: z.optional(number),
  resetAt: z.optional(number),
  retryIn: z.optional(number),
  retryDate: z.optional(number),
  date: z.optional(number),
})
const attemptSchema = z.object({
  attempt: number,
  queuedAt: z.optional(number),
  waited: z.optional(number),
  sentAt: z.optional(number),
  result: z.optional(
    z.union([
      z.object({ status: number, rateLimitHeaders: headersSchema, duration: number, bodyDuration: number }),
      z.object({ failure: z.enum([...failureKinds, 'cancelled']), duration: number }),
    ]),
  ),
})
const callSchema = z.object({
  callId: z.string().check(z.minLength(1)),
  operation: z.string(),
  startedAt: number,
  address: z.optional(z.string()),
  priority: z.optional(z.enum(['user', 'background'])),
  replay: z.optional(z.enum(['safe', 'only-if-refused'])),
  keyTime: z.optional(number),
  attempts: z.array(attemptSchema),
  end: z.optional(
    z.object({ at: number, result: z.enum([...failureKinds, 'success', 'cancelled']), duration: number }),
  ),
})
const recordingSchema = z.object({
  version: z.literal(recordingVersion),
  from: number,
  at: number,
  settings: z.object({
    retry: z.object({ attempts: number, maxWait: duration }),
    timeout: duration,
    pace: z.object({ limit: number, per: number }),
  }),
  start: z.pipe(z.unknown(), z.transform(readRecord)),
  calls: z.array(callSchema),
})

/**
 * Reads and checks a recording. Calls of before its beginning are left out: their requests are in what the gate knew then.
 *
 * @throws TypeError that says what is wrong with it
 */
export function readRecording(recording: string | object): Recording {
  const { data, error } = recordingSchema.safeParse(typeof recording === 'string' ? parseText(recording) : recording)
  if (!data) {
    const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'all of it'}: ${message}`)
    throw new TypeError(`This is no recording of version ${recordingVersion}: ${problems.slice(0, 3).join('; ')}`)
  }
  const calls = data.calls.filter(({ startedAt }) => startedAt >= data.from)
  return { ...data, calls: calls.map((call) => ({ ...missedCall, ...call, attempts: call.attempts.map(completed) })) }
}

const missedCall = { address: undefined, priority: undefined, replay: undefined, keyTime: undefined, end: undefined }
const missedAttempt = { queuedAt: undefined, waited: undefined, sentAt: undefined, result: undefined }
const completed = (attempt: z.infer<typeof attemptSchema>): AttemptTrace => ({ ...missedAttempt, ...attempt })

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new TypeError('A recording is JSON, and this is not.')
  }
}
