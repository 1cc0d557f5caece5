import { type ClockSkew, type GateRecord, type GateWindow, unitsOf } from '../rate-limit/GateRecord.ts'
import { isTripped } from '../rate-limit/breaker.ts'
import { countInFlight, firstInFlight, liveWindows } from '../rate-limit/windows.ts'
import type { GateInspection, WaitingCall } from '../rate-limit/rateLimitState.ts'
import { clockTime, count, format, shortDuration } from './clockTime.ts'
import { tightestWindow } from './QuotaView.tsx'

export function describeRecord(inspection: GateInspection): readonly string[] {
  const { at, record } = inspection
  const windows = liveWindows(record, at)
  return [
    describeCooldown(inspection),
    ...windows.map((window) => describeWindow(window, at)),
    ...(windows.length === 0 ? describePace(record) : []),
    ...describeInFlight(record, at),
    ...describeUnreported(record),
    ...describePages(record, at),
    describeSkew(record.skew),
  ]
}

function describeCooldown({ at: now, record }: GateInspection): string {
  const { cooldownUntil, consecutiveRefusals, breaker } = record
  const endText = (end: number) => `${clockTime(end, now)} (${format.duration(end - now)})`
  if (cooldownUntil <= now) {
    if (breaker.until > now) return `Pause until ${endText(breaker.until)}, after ${failuresText}.`
    const failedCalls = isTripped(breaker) ? 0 : breaker.failures
    if (failedCalls === 0) return 'No cool-down.'
    return `No cool-down, but ${count(failedCalls, 'call')} without a response in a row.`
  }
  const repetition = consecutiveRefusals > 0 ? ` It is number ${consecutiveRefusals + 1} in a row.` : ''
  return `Cool-down until ${endText(cooldownUntil)}: the service refused a request.${repetition}`
}

function describeWindow({ limit, remaining, resetAt }: GateWindow, now: number): string {
  const left = limit > 0 ? `${format.number(remaining)} of ${count(limit, 'request')}` : count(remaining, 'request')
  return `${left} left until ${clockTime(resetAt, now)}, those in flight included.`
}

function describePace({ localUsage }: GateRecord): readonly string[] {
  const used = unitsOf(localUsage)
  return [
    `No request limit is announced now: requests are sent at the pace of the last limit, or of the plan.`,
    ...(used > 0 ? [`${count(used, 'request')} sent while no request limit was announced.`] : []),
  ]
}

function describeInFlight(record: GateRecord, now: number): readonly string[] {
  const inFlight = countInFlight(record)
  if (inFlight === 0) return ['No request is in flight.']
  const expiry = `The first counts as lost at ${clockTime(firstInFlight(record, 'expiresAt'), now)}.`
  return [`${count(inFlight, 'request')} in flight, over all tabs. ${expiry}`]
}

function describeUnreported({ unreportedUnits }: GateRecord): readonly string[] {
  const verb = unreportedUnits === 1 ? 'It counts' : 'They count'
  return unreportedUnits > 0
    ? [`${count(unreportedUnits, 'request')} had no response that reports the request limit. ${verb} as spent.`]
    : []
}

function describePages({ pages }: GateRecord, now: number): readonly string[] {
  const waitingTabs = Object.values(pages).filter(({ waitsUntil }) => waitsUntil > now).length
  return waitingTabs > 0 ? [`Calls wait in ${count(waitingTabs, 'tab')}.`] : []
}

function describeSkew({ min, max }: ClockSkew): string {
  if (min === max) return `The service’s clock is ${offsetText(min)}.`
  return `The service’s clock is between ${offsetText(min)} and ${offsetText(max)}.`
}

function offsetText(offset: number): string {
  return offset === 0 ? 'right' : `${shortDuration(Math.abs(offset))} ${offset < 0 ? 'behind' : 'ahead'}`
}

export function explainWait(call: WaitingCall, inspection: GateInspection): string {
  const { at, record } = inspection
  const until = (time: number) => clockTime(time, at)
  const window = tightestWindow(record, at)
  switch (call.reason) {
    case 'cooling-down':
      return `Cool-down until ${until(record.cooldownUntil)}: the service refused a request.`
    case 'failures':
      return `Pause until ${until(record.breaker.until)}, after ${failuresText}.`
    case 'probe':
      return 'Waits for a response: requests under way find out what the service allows.'
    case 'used-up':
      return window ? `${quotaText(window, 'used')} until ${until(window.resetAt)}.` : 'No requests are left.'
    case 'reserve':
      return window
        ? `${quotaText(window, 'kept')}, and this call is in the background.`
        : 'What is left is kept for people, and this call is in the background.'
    case 'pace':
      return 'No request limit is announced now, and as many requests were sent as the last one, or the plan, allows.'
    case 'other-tabs':
      return 'Other tabs have their turn.'
    case 'store':
      return 'May leave. The decision is being stored.'
    default:
      return call.reason satisfies never
  }
}

const failuresText = 'calls without a response that can be read'

function quotaText({ limit, remaining }: GateWindow, what: 'used' | 'kept'): string {
  const all = count(limit, 'request')
  if (what === 'used')
    return `${limit > 0 ? `All ${all}` : 'All requests'} are used${remaining > 0 ? ' or in flight' : ''}`
  const left = limit > 0 ? `${remaining} of ${all}` : `The last ${count(remaining, 'request')}`
  return `${left} ${remaining === 1 ? 'is' : 'are'} kept for people`
}
