import { useEffect, useInsertionEffect, useSyncExternalStore } from 'react'
import { createListeners } from '../base/listeners.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { PetstoreEvent } from '../client/PetstoreEvent.ts'
import { oncePerObject } from '../hooks/state.ts'
import type { GateInspection } from '../rate-limit/rateLimitState.ts'
import { addToTraces, type CallTrace } from './callTraces.ts'

/** The history of a client: the last five minutes, and at most 200 calls. */
export interface GateHistory {
  /** The recorded calls, the oldest first. */
  readonly calls: readonly CallTrace[]
  /** What the gate knew when it was inspected last; `undefined` before the first inspection. */
  readonly inspection: GateInspection | undefined
  /** Whether the store that tabs share has failed. */
  readonly hasStoreFailed: boolean
}

export const emptyGateHistory: GateHistory = { calls: [], inspection: undefined, hasStoreFailed: false }

export function addEvent(history: GateHistory, event: PetstoreEvent): GateHistory {
  if (event.type === 'rate-limit-store') return { ...history, hasStoreFailed: event.status === 'failed' }
  return dropOldCalls({ ...history, calls: addToTraces(history.calls, event) }, event.at)
}

export function addInspection(history: GateHistory, inspection: GateInspection): GateHistory {
  return dropOldCalls({ ...history, inspection }, inspection.at)
}

/** How long a call is kept after its end, in ms. */
const historyLength = 300_000

/** How many calls are kept, so that the history takes little memory, whatever the app does. */
const maxCalls = 200

/** Drops calls that ended long ago, and the oldest of too many calls. */
function dropOldCalls(history: GateHistory, now: number): GateHistory {
  const { calls } = history
  const recent = calls.filter(({ end }) => !end || end.at > now - historyLength)
  // Ended calls go first: a developer looks for the calls that are under way.
  const inDropOrder = [...recent.filter(({ end }) => end), ...recent.filter(({ end }) => !end)]
  const surplus = new Set(inDropOrder.slice(0, Math.max(0, recent.length - maxCalls)))
  const kept = recent.filter((call) => !surplus.has(call))
  return kept.length === calls.length ? history : { ...history, calls: kept }
}

/** Records what a client does while someone subscribes. */
interface Recorder {
  readonly getSnapshot: () => GateHistory
  readonly subscribe: (listener: () => void) => () => void
  /** Inspects the gate soon. Also for changes of its state without an event. */
  readonly scheduleInspection: () => void
}

/** How long events are gathered before they are published as one change, in ms. */
const gatherTime = 100

/** The recorder of a client. What it has recorded outlives its subscribers, so a panel can be closed and opened. */
export const recorderOf = /* @__PURE__ */ oncePerObject((client: PetstoreClient): Recorder => {
  const listeners = createListeners()
  let recorded = emptyGateHistory
  let published = emptyGateHistory
  let timer: ReturnType<typeof setTimeout> | undefined
  let unsubscribe: (() => void) | undefined

  function publish(): void {
    timer = undefined
    recorded = addInspection(recorded, client.rateLimit.inspect())
    published = recorded
    listeners.call()
  }

  function scheduleInspection(): void {
    timer ??= setTimeout(publish, gatherTime)
  }

  return {
    getSnapshot: () => published,
    scheduleInspection,
    subscribe: (listener) => {
      const remove = listeners.add(listener)
      if (!unsubscribe) {
        unsubscribe = client.subscribe((event) => {
          recorded = addEvent(recorded, event)
          scheduleInspection()
        })
      }
      scheduleInspection()
      return () => {
        remove()
        if (!listeners.isEmpty) return
        unsubscribe?.()
        unsubscribe = undefined
        clearTimeout(timer)
        timer = undefined
      }
    },
  }
})

/** Records what a client does while the component is mounted. Other effects run later, and would miss calls that settle. */
export function useRecording(client: PetstoreClient | undefined): void {
  useInsertionEffect(() => client && recorderOf(client).subscribe(() => {}), [client])
}

/** How often the panel inspects the gate of a visible page, in ms. */
const inspectionInterval = 1_000

/** The history of a client. Renders again with each change, and once a second while the page is visible. */
export function useGateHistory(client: PetstoreClient): GateHistory {
  const recorder = recorderOf(client)
  useRecording(client)
  useEffect(() => {
    // Other tabs change the record without an event of this client.
    const unsubscribe = client.rateLimit.subscribe(recorder.scheduleInspection)
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') recorder.scheduleInspection()
    }, inspectionInterval)
    return () => {
      unsubscribe()
      clearInterval(timer)
    }
  }, [client, recorder])
  return useSyncExternalStore(recorder.subscribe, recorder.getSnapshot, () => emptyGateHistory)
}
