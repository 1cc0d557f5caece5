import { maxAddresses } from './failures.ts'
import { emptyRecord, type Failures, type GateRecord } from './GateRecord.ts'
import { mapTimes } from './mapTimes.ts'
import { day } from './plan.ts'
import { maxWaitingPages } from './turns.ts'

/** Waits are at most a day, plus jitter. In ms. */
const maxRecordedWait = day + 1_000

/**
 * Reads what a store holds, which may be anything: a record of another version, data of another program, nothing. Of a
 * record with an invalid field only the cool-down counts. No record keeps an app waiting for longer than a day.
 */
export function readRecord(stored: unknown): GateRecord {
  if (!hasNumbers(stored, 'updatedAt', 'cooldownUntil')) return emptyRecord
  const { updatedAt, cooldownUntil } = stored
  const record = isRecord(stored) ? stored : { ...emptyRecord, updatedAt, cooldownUntil }
  return mapTimes(record, (time) => Math.min(time, updatedAt + maxRecordedWait))
}

function isRecord(stored: object): stored is GateRecord {
  const { windows, localUsage, inFlight, waiting, failures, skew }: { readonly [Field in keyof GateRecord]?: unknown } =
    stored
  return (
    hasNumbers(stored, 'clearedAt', 'cooldownStartedAt', 'consecutiveRefusals') &&
    isFailures(failures) &&
    hasNumbers(stored, 'maxInFlight', 'lostUnits') &&
    stored.maxInFlight >= 1 &&
    Array.isArray(windows) &&
    windows.every(isWindow) &&
    Array.isArray(localUsage) &&
    localUsage.every((slice) => hasNumbers(slice, 'at', 'count')) &&
    isObject(inFlight) &&
    Object.values(inFlight).every((batch) => hasNumbers(batch, 'count', 'since', 'until') && isOwned(batch)) &&
    isObject(waiting) &&
    Object.keys(waiting).length <= maxWaitingPages &&
    Object.values(waiting).every(isWaitingPage) &&
    isObject(skew) &&
    Number.isFinite(skew['min']) &&
    Number.isFinite(skew['max'])
  )
}

function isWindow(value: unknown): boolean {
  return (
    hasNumbers(value, 'limit', 'remaining', 'reset', 'resetAt') &&
    hasNumbers({ contradictions: 0, span: 0, ...value }, 'contradictions', 'span')
  )
}

function isWaitingPage(value: unknown): boolean {
  if (!isObject(value)) return false
  const { user, background } = value
  const areFlags = typeof user === 'boolean' && typeof background === 'boolean'
  return areFlags && hasNumbers(value, 'from', 'served') && isOwned(value)
}

function isOwned(value: object): boolean {
  return !('owner' in value) || typeof value.owner === 'string'
}

function isFailures(value: unknown): boolean {
  if (!hasNumbers(value, 'succeededAt', 'count', 'status', 'pauses', 'pausedAt', 'pauseUntil', 'probedAt')) return false
  const { addresses, gateway }: { readonly [Field in keyof Failures]?: unknown } = value
  return (
    isObject(addresses) &&
    Object.keys(addresses).length <= maxAddresses &&
    Object.values(addresses).every((address) => hasNumbers(address, 'failedAt', 'retryAt', 'status')) &&
    hasNumbers(gateway, 'burstAt', 'burstFailures', 'gap', 'changedAt', 'sentAt', 'passed')
  )
}

/** Whether all these fields are finite numbers of 0 or more. */
function hasNumbers<Name extends string>(value: unknown, ...names: readonly Name[]): value is Record<Name, number> {
  return isObject(value) && names.every((name) => Number.isFinite(value[name]) && Number(value[name]) >= 0)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
