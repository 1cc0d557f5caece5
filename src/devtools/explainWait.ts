import type { GateRecord, GateWindow } from '../rate-limit/GateRecord.ts'
import { countInFlight } from '../rate-limit/windows.ts'
import { clockTime, count, shortDuration } from './clockTime.ts'
import type { GateInspection, WaitingCall } from '../rate-limit/inspectGate.ts'
import { tightestWindow } from './tightestWindow.ts'
import type { Refusal } from './timeline.ts'

/**
 * Says in one sentence why a call has not left.
 *
 * @param cause - the response of this tab that started the cool-down; `undefined` if none of this tab did
 */
export function explainWait(call: WaitingCall, { at, record }: GateInspection, cause: Refusal | undefined): string {
  const until = (time: number) => clockTime(time, at)
  const window = tightestWindow(record, at)
  switch (call.reason) {
    case 'cooling-down':
      return `Cool-down until ${until(record.cooldownUntil)}, after ${refusalText(cause)}.`
    case 'failures':
      return `Pause until ${until(record.failures.pauseUntil)}, after ${failuresText(record)}.`
    case 'gateway':
      return `A gateway refused several requests of one second: they leave one by one, every ${shortDuration(record.failures.gateway.gap)}.`
    case 'address':
      return `The service asked to leave this address alone until ${until(call.retryAt)}.`
    case 'probe':
      return 'Waits for the probe: one request under way finds out what the service allows.'
    case 'used-up':
      return window ? `${quotaText(window, 'used')} until ${until(window.resetAt)}.` : 'No requests are left.'
    case 'reserve':
      return window
        ? `${quotaText(window, 'kept')}, and this call is in the background.`
        : 'What is left is kept for people, and this call is in the background.'
    case 'in-flight': {
      const inFlight = countInFlight(record)
      return `Waits for a response: ${count(inFlight, 'request')} under way ${inFlight === 1 ? 'holds' : 'hold'} all that it may use.`
    }
    case 'pace':
      return 'No quota is known, so requests leave at the pace of the plan, which is used up.'
    case 'other-tabs':
      return 'Other tabs have their turn.'
    case 'store':
      return 'May leave. The decision is being stored.'
    default:
      return call.reason satisfies never
  }
}

/** What started the current cool-down. */
export function refusalText(cause: Refusal | undefined): string {
  if (!cause) return 'a refusal in another tab or before this page was loaded'
  return cause.status === undefined ? 'a failure in this tab' : `a ${cause.status} in this tab`
}

export function failuresText({ failures }: GateRecord): string {
  return `${count(failures.count, 'failure')} without an explanation, and no success since`
}

function quotaText({ limit, remaining }: GateWindow, what: 'used' | 'kept'): string {
  const all = count(limit, 'request')
  if (what === 'used') return limit > 0 ? `All ${all} are used` : 'All requests are used'
  const left = limit > 0 ? `${remaining} of ${all}` : `The last ${count(remaining, 'request')}`
  return `${left} ${remaining === 1 ? 'is' : 'are'} kept for people`
}
