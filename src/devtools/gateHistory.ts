import { useEffect, useInsertionEffect, useSyncExternalStore } from 'react'
import { createListeners } from '../base/listeners.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { PetstoreEvent } from '../client/PetstoreEvent.ts'
import { oncePerObject } from '../base/oncePerObject.ts'
import type { GateInspection } from '../rate-limit/rateLimitState.ts'
import { addToTraces, type CallTrace } from './callTraces.ts'

export interface GateHistory {
  /** The recorded calls, the oldest first. */
  readonly calls: readonly CallTrace[]
  /** What the gate knew when it was inspected last; `undefined` before the first inspection. */
  readonly inspection: GateInspection | undefined
  readonly hasStoreFailed: boolean
}

export const emptyGateHistory: GateHistory = { calls: [], inspection: undefined, hasStoreFailed: false }

export function addEvent(history: GateHistory, event: PetstoreEvent): GateHistory {
  if (event.type === 'rate-limit-store') return { ...history, hasStoreFailed: event.status === 'failed' }
  const calls = addToTraces(history.calls, event)
  if (calls.length <= maxCalls) return { ...history, calls }
  // Calls that have ended are dropped first: a developer looks for those that are under way.
  const dropped = calls.find(({ end }) => end) ?? calls[0]
  return { ...history, calls: calls.filter((call) => call !== dropped) }
}

/** How many calls are kept, so that the history takes little memory, whatever the app does. */
const maxCalls = 200

/** How long events are gathered before they are published as one change, in ms. */
const gatherTime = 100

/** Records what a client does while someone subscribes. A panel that opens again shows what was recorded before. */
export const recorderOf = /* @__PURE__ */ oncePerObject((client: PetstoreClient) => {
  const listeners = createListeners()
  let recorded = emptyGateHistory
  let published = emptyGateHistory
  let timer: ReturnType<typeof setTimeout> | undefined
  let unsubscribe: (() => void) | undefined

  function publish(): void {
    timer = undefined
    recorded = { ...recorded, inspection: client.rateLimit.inspect() }
    published = recorded
    listeners.call()
  }

  function scheduleInspection(): void {
    timer ??= setTimeout(publish, gatherTime)
  }

  return {
    getSnapshot: () => published,
    scheduleInspection,
    subscribe: (listener: () => void) => {
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

/** Records while the component is mounted. Insertion effects run before the effects in which an app makes calls. */
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
