import { createPetstoreClient, type PetstoreClient } from '../../src/index.ts'
import type { PetstoreEvent } from '../../src/client.ts'
import type { GateInspection, WaitingCall } from '../../src/devtools.ts'
import { emptyRecord } from '../../src/rate-limit/GateRecord.ts'
import { createPetstoreService } from '../../src/testing.ts'

const minute = 60_000

/** A client with made-up events and waiting calls that never change, so that its panel always looks the same. */
export function createStaticClient(): PetstoreClient {
  const client = createPetstoreClient(createPetstoreService().providerProps())
  const now = Date.now()
  return {
    ...client,
    rateLimit: { ...client.rateLimit, inspect: () => inspectionAt(now) },
    subscribe: (listener) => {
      for (const event of pastEvents(now)) listener(event)
      return () => {}
    },
  }
}

const reasons: readonly (readonly [reason: WaitingCall['reason'], operation: string, retryIn: number])[] = [
  ['store', 'createCategory', 0],
  ['other-tabs', 'sendMessage', 0],
  ['reserve', 'listCategories', 52_000],
  ['reserve', 'getPet', 52_000],
]

function inspectionAt(now: number): GateInspection {
  return {
    at: now,
    record: {
      ...emptyRecord,
      updatedAt: now - 22_000,
      cooldownUntil: now - 30_000,
      windows: [
        {
          limit: 60,
          remaining: 6,
          serviceReset: now + minute,
          resetAt: now + minute,
          minLength: minute,
          checkedAt: now - 22_000,
        },
      ],
      unreportedUnits: 1,
      pages: {
        a: { inFlight: 2, since: now - 1_000, expiresAt: now + 30_000, waitsUntil: now + 1_000, hasUserRequest: true },
        b: { inFlight: 0, since: 0, expiresAt: 0, waitsUntil: now + 1_000, hasUserRequest: true },
      },
      skew: { min: -1_000, max: 2_000 },
    },
    owner: undefined,
    waiting: reasons.map(([reason, operation, retryIn], index) => ({
      callId: `waiting-${index}`,
      operation,
      priority: reason === 'reserve' ? 'background' : 'user',
      queuedAt: now - 12_000 + index * 1_000,
      deadline: now + 53_000 + index * 1_000,
      reason,
      retryAt: now + retryIn,
    })),
  }
}

const queued = { type: 'queued', attempt: 1, priority: 'user' } as const

/** The events of calls in the last minutes. */
function pastEvents(now: number): PetstoreEvent[] {
  const requests = [280, 262, 200, 198, 195, 150, 148, 120, 118, 76, 26, 24, 22, 12].flatMap((secondsAgo, index) => {
    const at = now - secondsAgo * 1_000
    const call = { at, operation: index % 3 === 0 ? 'createCategory' : 'listCategories', callId: `call-${index}` }
    const duration = 60 + index * 14
    return [
      { ...call, ...queued, duration: 2 },
      { ...call, type: 'request', attempt: 1, waited: index * 40 },
      { ...call, type: 'response', attempt: 1, status: 200, rateLimitHeaders: {}, duration, bodyDuration: 12 },
      { ...call, type: 'settled', result: 'success', duration: duration + index * 40 + 2 },
    ] satisfies PetstoreEvent[]
  })
  const lost = { at: now - 20_000, operation: 'sendMessage', callId: 'lost' }
  const refused = { at: now - 72_000, operation: 'sendMessage', callId: 'refused' }
  const events: PetstoreEvent[] = [
    ...requests,
    { ...lost, ...queued, duration: 1 },
    { ...lost, type: 'request', attempt: 1, waited: 0 },
    { ...lost, type: 'failure', attempt: 1, kind: 'network', duration: 1_840 },
    { ...lost, type: 'settled', result: 'network', duration: 1_841 },
    { ...refused, ...queued, duration: 1 },
    { ...refused, type: 'request', attempt: 1, waited: 3 },
    { ...refused, type: 'response', attempt: 1, status: 429, rateLimitHeaders: {}, duration: 48, bodyDuration: 0 },
    { ...refused, type: 'settled', result: 'rate-limit', duration: 52 },
  ]
  return events.toSorted((one, other) => one.at - other.at)
}
