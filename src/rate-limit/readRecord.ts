import { maxAddresses } from './failures.ts'
import { emptyRecord, type GateRecord } from './GateRecord.ts'
import { mapTimes } from './mapTimes.ts'
import { day } from './plan.ts'
import { maxWaitingPages } from './turns.ts'

/** Waits are at most a day, plus jitter. In ms. */
const maxRecordedWait = day + 1_000

/** More batches than pages have in flight: each of them costs time with every decision. */
const maxBatches = 512

/** The longest list of a record has 601 items. */
const maxItems = 1_000

/**
 * Reads what a store holds, which may be anything: a record of another version, data of another program, nothing. Of a
 * record with an invalid field only the cool-down counts. No record keeps an app waiting for longer than a day.
 */
export function readRecord(stored: unknown): GateRecord {
  if (!hasTimes(stored)) return emptyRecord
  const { updatedAt, cooldownUntil } = stored
  const record = isRecord(stored) ? stored : { ...emptyRecord, updatedAt, cooldownUntil }
  return mapTimes(record, (time) => Math.min(time, updatedAt + maxRecordedWait))
}

/** An object of any keys, whose values are like one model. */
class Dictionary {
  readonly item: unknown
  readonly maxSize: number

  constructor(item: unknown, maxSize: number) {
    this.item = item
    this.maxSize = maxSize
  }
}

const times = { updatedAt: 0, cooldownUntil: 0 }

/** A value is like its model if it has the same types, and its numbers are finite and not negative. `?`: may be missing. */
const model: Readonly<Record<keyof GateRecord, unknown>> = {
  ...emptyRecord,
  windows: [{ limit: 0, remaining: 0, reset: 0, resetAt: 0, 'span?': 0, 'contradictions?': 0 }],
  localUsage: [{ at: 0, count: 0 }],
  inFlight: new Dictionary({ count: 0, since: 0, until: 0, 'owner?': '' }, maxBatches),
  waiting: new Dictionary({ user: true, background: true, from: 0, served: 0, 'owner?': '' }, maxWaitingPages),
  failures: {
    ...emptyRecord.failures,
    addresses: new Dictionary({ failedAt: 0, retryAt: 0, status: 0 }, maxAddresses),
  },
  // Clocks may be behind.
  skew: {},
}

function hasTimes(stored: unknown): stored is typeof times {
  return isLike(stored, times)
}

function isRecord(stored: unknown): stored is GateRecord {
  if (!isLike(stored, model)) return false
  const { skew, maxInFlight }: { readonly [Field in keyof GateRecord]?: unknown } = Object(stored)
  const { min, max } = Object(skew)
  return Number.isFinite(min) && Number.isFinite(max) && Number(maxInFlight) >= 1
}

function isLike(value: unknown, like: unknown): boolean {
  if (typeof like === 'number') return Number.isFinite(value) && Number(value) >= 0
  if (typeof like !== 'object' || like === null) return typeof value === typeof like
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(like)) {
    return Array.isArray(value) && value.length <= maxItems && value.every((item) => isLike(item, like[0]))
  }
  if (like instanceof Dictionary) {
    const items = Object.values(value)
    return items.length <= like.maxSize && items.every((item) => isLike(item, like.item))
  }
  return Object.entries(like).every(([name, item]) => {
    const field = new Map<string, unknown>(Object.entries(value)).get(name.replace('?', ''))
    return (field === undefined && name.endsWith('?')) || isLike(field, item)
  })
}
