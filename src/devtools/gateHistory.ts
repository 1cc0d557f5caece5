import { addToTraces, type CallTrace, dropOldCalls } from './callTraces.ts'
import type { PetstoreEvent } from '../client/PetstoreEvent.ts'
import type { GateInspection } from '../rate-limit/inspectGate.ts'
import { addEvent as addToTimeline, addLook, emptyTimeline, type Timeline } from './timeline.ts'

/** What the tools know about a client: the last five minutes, and at most 200 calls. */
export interface GateHistory {
  /** The oldest first. */
  readonly calls: readonly CallTrace[]
  readonly timeline: Timeline
  /** The last look at the gate; `undefined` before the first. */
  readonly inspection: GateInspection | undefined
  /** Whether the store that tabs share has failed. */
  readonly hasStoreFailed: boolean
}

export const emptyGateHistory: GateHistory = {
  calls: [],
  timeline: emptyTimeline,
  inspection: undefined,
  hasStoreFailed: false,
}

export function addEvent(history: GateHistory, event: PetstoreEvent): GateHistory {
  if (event.type === 'rate-limit-store') return { ...history, hasStoreFailed: event.status === 'failed' }
  return {
    ...history,
    calls: addToTraces(history.calls, event),
    timeline: addToTimeline(history.timeline, event),
  }
}

export function addInspection(history: GateHistory, inspection: GateInspection): GateHistory {
  return {
    ...history,
    inspection,
    calls: dropOldCalls(history.calls, inspection.at),
    timeline: addLook(history.timeline, inspection),
  }
}
