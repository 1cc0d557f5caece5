import type { Clock } from '../base/Clock.ts'
import { type GateRecord, rebaseAfterClockRollback } from './GateRecord.ts'
import type { PageGate } from './pageGate.ts'
import type { QueuedRequest } from './requestQueue.ts'

/**
 * The same gate, which keeps a cool-down that this page has heard of for as long as it lasts on the monotonic clock, too:
 * setting the clock forward ends none.
 */
export function createSteadyGate<Request extends QueuedRequest>(
  gate: PageGate<Request>,
  clock: Pick<Clock, 'now' | 'monotonic' | 'monotonicStart'>,
): PageGate<Request> {
  /** When the monotonic clock was 0, by the wall clock as it was while no cool-down was known. In epoch ms. */
  let origin = clock.monotonicStart ?? clock.now() - clock.monotonic()
  /** When the cool-down ends, in ms of the monotonic clock. */
  let endsAt = -Infinity
  let clearedAt = 0

  /** Moves the end of a cool-down after the clock was set forward. */
  function hold(stored: GateRecord, now: number): GateRecord {
    const record = rebaseAfterClockRollback(stored, now)
    const { cooldownUntil, updatedAt } = record
    const monotonicNow = clock.monotonic()
    const steadyNow = origin + monotonicNow
    // An app has reset the gate.
    if (record.clearedAt > clearedAt) endsAt = -Infinity
    clearedAt = record.clearedAt
    // What was written after the clock was set forward is right by that clock.
    const time = updatedAt <= steadyNow ? Math.min(now, steadyNow) : now
    endsAt = Math.max(endsAt, monotonicNow + cooldownUntil - Math.max(time, updatedAt))
    // From then on, times are by the clock as it is set now. A cool-down of before stays in `endsAt`.
    if (endsAt <= monotonicNow || updatedAt > steadyNow) origin = now - monotonicNow
    if (endsAt <= monotonicNow || cooldownUntil > now) return record
    return { ...record, updatedAt: now, cooldownUntil: Math.ceil(now + endsAt - monotonicNow) }
  }

  return {
    ...gate,
    decide: (stored, now) => gate.decide(hold(stored, now), now),
    preview: (stored, now) => gate.preview(hold(stored, now), now),
  }
}
