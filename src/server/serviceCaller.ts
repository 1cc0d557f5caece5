import { isPetstoreError } from '../client/errors.ts'
import type { KeyedClient } from '../client/createPetstoreClient.ts'
import type { KeyedCallOptions } from '../client/PetstoreClient.ts'
import { createRedact, type Redact } from '../client/apiKey.ts'
import { rawOutput, type RawResponse } from '../client/rawOutput.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { CallSignal } from '../base/abort.ts'
import type { Clock } from '../base/Clock.ts'
import type { Priority } from '../rate-limit/gate.ts'
import type { CacheSettings } from './PetstoreHandlerOptions.ts'
import { HandlerError } from './HandlerError.ts'
import type { VisitorKey, VisitorKeys } from './visitors.ts'
import { createBoundedCache } from '../base/boundedCache.ts'
import { hashOf } from '../base/ids.ts'
import { buildRequest } from '../client/buildRequest.ts'
import { validate } from '../client/validate.ts'

/** An operation that a visitor calls. */
export interface VisitorCall {
  readonly operation: Operation
  readonly input: unknown
  /** The id of the visitor's user. */
  readonly user: string
  readonly key: VisitorKey
  readonly priority: Priority
  /** Aborted when the visitor is gone. */
  readonly signal: CallSignal
  /** The `X-Request-Id` of the visitor's request. */
  readonly requestId: string | undefined
  /** Keeps the machine awake for work that goes on after the response. */
  readonly waitUntil: (work: Promise<unknown>) => void
}

/** A response of the service, new or kept. */
export interface VisitorResponse {
  readonly status: number
  /** The headers that visitors get. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Only where responses to the operation are kept. */
  readonly etag: string | undefined
  /** How long ago the service responded, in ms; `undefined` where it did so for this call. */
  readonly age: number | undefined
  /** How long the call waited to leave, and then for the service, in ms; `undefined` for a kept response. */
  readonly waits: { readonly queue: number; readonly upstream: number } | undefined
}

interface ServiceCallerOptions {
  readonly client: KeyedClient
  readonly keys: VisitorKeys
  readonly cacheRules: ReadonlyMap<string, CacheSettings>
  readonly kept: ReturnType<typeof createKeptResponses>
  /** Names of the service's headers that visitors get. */
  readonly exposedHeaders: readonly string[]
  readonly clock: Clock
}

/** Makes the calls of visitors with the client, or responds with what the service has sent before. */
export function createServiceCaller(options: ServiceCallerOptions): (call: VisitorCall) => Promise<VisitorResponse> {
  const { client, keys, cacheRules, kept, exposedHeaders, clock } = options
  /** Kept responses whose reload has begun. Each is reloaded only once, even if that fails. */
  const reloaded = new WeakSet<KeptResponse>()

  const headersOf = ({ headers, key }: RawResponse) => pickHeaders(headers, exposedHeaders, createRedact(key))

  /**
   * Callers of the same GET share one request and its retries. A retry may carry a new key: that of the first caller.
   * Another caller may use the response to that key only if the app now returns the same key for them, too.
   */
  async function request(call: VisitorCall, callOptions: KeyedCallOptions): Promise<RawResponse> {
    const { operation, input, user, requestId } = call
    const headers = requestId === undefined ? undefined : { 'x-request-id': requestId }
    const rawOperation: Operation<unknown, RawResponse> = { ...operation, output: rawOutput }
    let { key: visitorKey } = call
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const { id, key } = visitorKey
      const raw = await client
        .call<unknown, RawResponse>(rawOperation, input, { ...callOptions, key, userId: user, headers })
        .catch((error: unknown) => {
          if (isPetstoreError(error) && error.kind === 'authentication' && error.status === 401) kept.forget(id)
          throw error
        })
      if (raw.key === key || operation.method !== 'GET') return raw
      visitorKey = await keys.readForVisitor({ operation: operation.name, attempts: 0 })
      if (raw.key === visitorKey.key) return raw
    }
    throw new HandlerError(503, 'busy', 'Your API key has changed. Try again.')
  }

  async function load(call: VisitorCall, rule: CacheSettings, callOptions: KeyedCallOptions) {
    const generation = kept.generation()
    const raw = await request(call, { ...callOptions, scope: rule.shared ? '' : call.user })
    const { status, text, key } = raw
    const receivedAt = clock.now()
    const { id: keyId } = await keys.identify(key)
    const hash = await hashOf(text)
    // Without `crypto.subtle` there is no hash, and no tag either: one tag for all texts would hide every change.
    const etag = hash === undefined ? undefined : `"${hash}"`
    const response = { status, headers: headersOf(raw), text, etag, receivedAt, keyId }
    kept.keep(await identityOf(call, rule, keyId), response, generation)
    return { raw, response }
  }

  async function callKept(call: VisitorCall, rule: CacheSettings): Promise<VisitorResponse> {
    const { signal, priority } = call
    const identity = await identityOf(call, rule, call.key.id)
    const begin = clock.now()
    const found = kept.find(identity)
    const age = found ? begin - found.receivedAt : -1
    // A clock that was set back cannot tell the age.
    if (found && age >= 0 && age < rule.maxAge + rule.staleWhileRevalidate) {
      if (age >= rule.maxAge && !reloaded.has(found)) {
        reloaded.add(found)
        // If it fails, a visitor's call asks the service once the kept response is too old.
        call.waitUntil(load(call, rule, { priority: 'background' }).catch(() => {}))
      }
      return { ...found, age, waits: undefined }
    }
    const { raw, response } = await load(call, rule, { signal, priority })
    return { ...response, age: undefined, waits: waitsOf(raw, begin, clock.now()) }
  }

  return async (call) => {
    const rule = cacheRules.get(call.operation.name)
    if (rule) return callKept(call, rule)
    const begin = clock.now()
    const { signal, priority, user } = call
    const raw = await request(call, { signal, priority, scope: user })
    const waits = waitsOf(raw, begin, clock.now())
    return { status: raw.status, headers: headersOf(raw), text: raw.text, etag: undefined, age: undefined, waits }
  }
}

/** The headers of these names that the service has sent. */
export function pickHeaders(
  headers: Headers,
  names: readonly string[],
  redact: Redact = (value) => value,
): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const name of names) {
    const value = headers.get(name)
    if (value !== null) picked[name] = redact(value)
  }
  return picked
}

/** How often a call is made for a visitor whose key changes meanwhile. */
const maxTries = 3

/** The name of a kept response. Fields that the operation does not take make no difference. */
async function identityOf(
  { operation, input, user }: VisitorCall,
  rule: CacheSettings,
  keyId: string,
): Promise<string> {
  const { name, input: schema } = operation
  const result = schema ? await validate(schema, input) : { value: undefined }
  // The client refuses invalid input, so nothing is ever kept under this name.
  if (result.issues) return ''
  const { target } = buildRequest(operation, result.value, { operation: name, attempts: 0 })
  return JSON.stringify([keyId, rule.shared ? '' : user, name, target])
}

/** Counts from `begin`, although a call may have joined a request that left before. */
function waitsOf({ sentAt }: RawResponse, begin: number, end: number): { queue: number; upstream: number } {
  const left = Math.min(Math.max(begin, sentAt), end)
  return { queue: left - begin, upstream: end - left }
}

/** A response of the service that may be served again. */
interface KeptResponse extends Omit<VisitorResponse, 'age' | 'waits'> {
  /** Epoch ms. */
  readonly receivedAt: number
  /** The `id` of the API key that the response was requested with. */
  readonly keyId: string
}

/** What an entry takes beside its key and its text, in bytes. Without it, small responses would count for almost nothing. */
const entryOverhead = 500

/**
 * The kept responses: the least recently used leave first.
 *
 * @param maxSize - bytes
 */
export function createKeptResponses(maxSize: number) {
  const { values, set, remove, clear } = createBoundedCache<KeptResponse & { readonly size: number }>(maxSize)
  let generation = 0

  return {
    find: (key: string): KeptResponse | undefined => {
      const response = values.get(key)
      if (response) set(key, response)
      return response
    },
    /** How many changes there have been. Read it before the request leaves. */
    generation: () => generation,
    /** Keeps nothing if there has been a change since `generation` was read: the response may be older than it. */
    keep: (key: string, response: KeptResponse, since: number) => {
      const size = entryOverhead + 2 * (key.length + response.text.length)
      if (since === generation) set(key, { ...response, size })
    },
    /** Drops everything, after a change. */
    clear: () => {
      clear()
      generation += 1
    },
    /** Drops everything that was requested with a key which the service now refuses. */
    forget: (keyId: string) => {
      for (const [key, response] of values) if (response.keyId === keyId) remove(key)
    },
  }
}
