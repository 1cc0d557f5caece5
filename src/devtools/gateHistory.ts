import { useEffect, useInsertionEffect, useSyncExternalStore } from 'react'
import { createListeners } from '../base/listeners.ts'
import type { GateSettings } from '../client/clientRateLimit.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { PetstoreEvent } from '../client/PetstoreEvent.ts'
import { oncePerObject } from '../hooks/state.ts'
import type { GateInspection } from '../rate-limit/rateLimitState.ts'
import { addToTraces, type CallTrace, type Recording, recordingVersion } from '../client/recording.ts'
import type { GateRecord } from '../rate-limit/GateRecord.ts'
import { addEvent as addToTimeline, addLook, emptyTimeline, historyLength, type Timeline } from './timeline.ts'

/** The history of a client: the last five minutes, and at most 200 calls. */
export interface GateHistory {
  /** The oldest first. */
  readonly calls: readonly CallTrace[]
  readonly timeline: Timeline
  /** Looks at the gate after which no call has been dropped, the oldest first: a recording begins with one. */
  readonly starts: readonly GateStart[]
  /** The last look at the gate; `undefined` before the first. */
  readonly inspection: GateInspection | undefined
  /** Whether the store that tabs share has failed. */
  readonly hasStoreFailed: boolean
}

interface GateStart {
  /** Epoch ms. */
  readonly at: number
  readonly record: GateRecord
}

export const emptyGateHistory: GateHistory = {
  calls: [],
  timeline: emptyTimeline,
  starts: [],
  inspection: undefined,
  hasStoreFailed: false,
}

export function addEvent(history: GateHistory, event: PetstoreEvent): GateHistory {
  if (event.type === 'rate-limit-store') return { ...history, hasStoreFailed: event.status === 'failed' }
  const added = {
    ...history,
    calls: addToTraces(history.calls, event),
    timeline: addToTimeline(history.timeline, event),
  }
  return dropOldCalls(added, event.at)
}

export function addInspection(history: GateHistory, inspection: GateInspection): GateHistory {
  const timeline = addLook(history.timeline, inspection)
  return addStart(dropOldCalls({ ...history, inspection, timeline }, inspection.at), inspection)
}

/** The history stays small, whatever the app does. */
const maxCalls = 200

/** Drops calls that ended long ago, and the oldest of too many. */
function dropOldCalls(history: GateHistory, now: number): GateHistory {
  const { calls, starts } = history
  const recent = calls.filter(({ end }) => !end || end.at > now - historyLength)
  // Those under way are what a developer looks for.
  const oldest = [...recent.filter(({ end }) => end), ...recent.filter(({ end }) => !end)]
  const surplus = new Set(oldest.slice(0, Math.max(0, recent.length - maxCalls)))
  const kept = recent.filter((call) => !surplus.has(call))
  if (kept.length === calls.length) return history
  const known = new Set(kept)
  const droppedAt = Math.max(...calls.filter((call) => !known.has(call)).map(({ startedAt }) => startedAt))
  return { ...history, calls: kept, starts: starts.filter(({ at }) => at > droppedAt) }
}

/** In ms. */
const timeBetweenStarts = 10_000

/** Keeps a look at a gate that no call of this page passes: only then all that follows comes from calls that are recorded. */
function addStart(history: GateHistory, { at, record, waiting }: GateInspection): GateHistory {
  const { calls, starts } = history
  const last = starts.at(-1)
  const isIdle = waiting.length === 0 && calls.every(({ end }) => end)
  if (last && !isIdle) return history
  const isUnused = last && calls.every(({ startedAt }) => startedAt < last.at)
  if (isUnused) return { ...history, starts: starts.with(-1, { at, record }) }
  return last && at < last.at + timeBetweenStarts ? history : { ...history, starts: [...starts, { at, record }] }
}

/**
 * Completes a start that was looked at before the page had read its record: the first event that shows a record tells it.
 * What this page has added since is taken away.
 */
function completeStart(history: GateHistory, { inspect }: PetstoreClient['rateLimit']): GateHistory {
  const [first] = history.starts
  if (!first || first.record.updatedAt > 0) return history
  const { record } = inspect()
  const localUsage = record.localUsage.filter(({ at }) => at < first.at)
  const start = { ...first, record: { ...record, localUsage, pages: {} } }
  return { ...history, starts: history.starts.with(0, start) }
}

/** What a replay needs of a history; `undefined` before the first look. */
export function recordingOf(history: GateHistory, settings: GateSettings): Recording | undefined {
  const { calls, starts, inspection } = history
  const [start] = starts
  if (!start || !inspection) return undefined
  const addresses = new Map<string, string>()
  /** A hash of an address shows it to whoever can guess it, so recordings number them. */
  const numberOf = (address: string) => {
    const number = addresses.get(address) ?? String(addresses.size + 1)
    addresses.set(address, number)
    return number
  }
  return {
    version: recordingVersion,
    from: start.at,
    at: inspection.at,
    settings,
    start: start.record,
    calls: calls.map((call) => ({ ...call, address: call.address && numberOf(call.address) })),
  }
}

/** Records what a client does while someone subscribes. */
interface Recorder {
  readonly getSnapshot: () => GateHistory
  readonly subscribe: (listener: () => void) => () => void
  /** Looks at the gate soon: its state can change without an event. */
  readonly look: () => void
}

/** Many events in a row are one change, in ms. */
const gatherTime = 100

/** The recorder of a client. What it has recorded outlives its subscribers, so a panel can be closed and opened. */
const recorderOf = /* @__PURE__ */ oncePerObject((client: PetstoreClient): Recorder => {
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

  function look(): void {
    timer ??= setTimeout(publish, gatherTime)
  }

  return {
    getSnapshot: () => published,
    look,
    subscribe: (listener) => {
      const remove = listeners.add(listener)
      if (!unsubscribe) {
        // Earlier than `look` would: a call that begins now belongs to the recording.
        // Nothing is known of the time since the last subscriber left.
        recorded = addInspection({ ...recorded, starts: [] }, client.rateLimit.inspect())
        unsubscribe = client.subscribe((event) => {
          recorded = addEvent(recorded, event)
          if (event.type === 'waiting' || event.type === 'request') {
            recorded = completeStart(recorded, client.rateLimit)
          }
          look()
        })
      }
      look()
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

/** Records what a client does while the component is mounted. Later effects would miss calls that settle before them. */
export function useRecording(client: PetstoreClient | undefined): void {
  useInsertionEffect(() => client && recorderOf(client).subscribe(() => {}), [client])
}

/** In ms. */
const tick = 1_000

/** The history of a client. Renders again with each change, and once a second while the page is visible. */
export function useGateHistory(client: PetstoreClient): GateHistory {
  const recorder = recorderOf(client)
  useRecording(client)
  useEffect(() => {
    // Other tabs change the record without an event of this client.
    const unsubscribe = client.rateLimit.subscribe(recorder.look)
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') recorder.look()
    }, tick)
    return () => {
      unsubscribe()
      clearInterval(timer)
    }
  }, [client, recorder])
  return useSyncExternalStore(recorder.subscribe, recorder.getSnapshot, () => emptyGateHistory)
}
