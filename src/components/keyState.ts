import { useEffect, useId, useSyncExternalStore } from 'react'
import { createListeners } from '../base/listeners.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { PetstoreEvent } from '../client/PetstoreEvent.ts'
import { usePetstoreContext } from '../hooks/PetstoreContext.ts'
import { oncePerObject } from '../base/oncePerObject.ts'
import { useRateLimit } from '../hooks/useRateLimit.ts'
import type { RateLimitState } from '../rate-limit/rateLimitState.ts'

/** What the events of a client say about its API key, beyond the state of the quota. */
export interface KeyState {
  /** Whether the service has rejected the key (401), and no call has succeeded since. */
  readonly isRejected: boolean
  /** When the longest pause by the service (a 403 with `Retry-After`) ends or ended, in epoch ms; 0 before any 403. */
  readonly pausedUntil: number
  /** How many calls wait. */
  readonly waiting: number
  /** Whether any call is under way. */
  readonly isBusy: boolean
  /** Whether any call has had a response. */
  readonly hasResponse: boolean
}

/** A component that can show the notice about a situation of the whole page. */
interface Speaker {
  readonly situation: string
  /** When a person last acted on it, in epoch ms; 0 if nobody has. */
  readonly actedAt: number
}

/** In ms. `useRateLimit` may lag behind a response by this much. If `KeyState` did not wait, the badge would flicker. */
const quotaDelay = 100

const initialState: KeyState = { isRejected: false, pausedUntil: 0, waiting: 0, isBusy: false, hasResponse: false }

const keyStateOf = /* @__PURE__ */ oncePerObject((client: PetstoreClient) => {
  const listeners = createListeners()
  /** The calls under way, and whether each of them waits. */
  const calls = new Map<string, boolean>()
  let waiting = 0
  const speakers = new Map<string, Speaker>()
  let state = initialState
  /** The id of the last call with a 401. Without a 401, `authentication` means that the app gave no usable key. */
  let refusedCall: string | undefined

  function update(change?: Partial<KeyState>): void {
    state = { ...state, ...change, waiting, isBusy: calls.size > 0 }
    listeners.call()
  }

  /** Updates one call, or removes it (`undefined`). Counting all waiting calls at each event would take too long. */
  function setCall(id: string, isWaiting: boolean | undefined): void {
    waiting += Number(isWaiting ?? false) - Number(calls.get(id) ?? false)
    if (isWaiting === undefined) calls.delete(id)
    else calls.set(id, isWaiting)
  }

  function recordEvent(event: PetstoreEvent): void {
    const { type, callId = '' } = event
    let { isRejected, pausedUntil } = state
    if (type === 'queued' || type === 'request' || type === 'settled') setCall(callId, type === 'queued')
    if (type === 'response' && event.status === 403) {
      const { retryIn = 0, retryDate = 0, date = event.at } = event.rateLimitHeaders
      pausedUntil = Math.max(pausedUntil, event.at + Math.max(retryIn, retryDate - date))
    }
    if (type === 'response' && event.status === 401) refusedCall = callId
    if (type === 'response') setTimeout(() => update({ hasResponse: true }), quotaDelay)
    if (type === 'settled') {
      const { result } = event
      isRejected = (result === 'authentication' && callId === refusedCall) || (isRejected && result !== 'success')
      setTimeout(() => {
        setCall(callId, undefined)
        update()
      }, quotaDelay)
    }
    update({ isRejected, pausedUntil })
  }

  // From the first render on: a call may settle before effects run, as on a page that suspends. Servers need no state.
  if (typeof document !== 'undefined') client.subscribe(recordEvent)

  return {
    getSnapshot: () => state,
    subscribe: listeners.add,
    addSpeaker: (id: string, speaker: Speaker) => {
      speakers.set(id, speaker)
      listeners.call()
      return () => {
        speakers.delete(id)
        listeners.call()
      }
    },
    /** The id of the component that shows the notice: the one that a person acted on last, else the first. */
    speakerOf: (situation: string | undefined) => {
      const same = [...speakers].filter(([, speaker]) => speaker.situation === situation)
      return same.sort(([, one], [, other]) => other.actedAt - one.actedAt)[0]?.[0]
    },
  }
})

/** A part of what is known of the key of the provider's client; re-renders when that part changes. */
export function useKeyState<Part>(select: (state: KeyState) => Part): Part {
  const { getSnapshot, subscribe } = keyStateOf(usePetstoreContext().client)
  return useSyncExternalStore(
    subscribe,
    () => select(getSnapshot()),
    () => select(initialState),
  )
}

/**
 * Whether another component shows the notice about this situation of the key or the service. What concerns the whole
 * page is said once: where a person acted last, else where it came up first.
 */
export function useIsSaidElsewhere(situation: string | undefined, actedAt: number): boolean {
  const { subscribe, addSpeaker, speakerOf } = keyStateOf(usePetstoreContext().client)
  const id = useId()
  useEffect(
    () => (situation === undefined ? undefined : addSpeaker(id, { situation, actedAt })),
    [addSpeaker, id, situation, actedAt],
  )
  return useSyncExternalStore(
    subscribe,
    () => situation !== undefined && (speakerOf(situation) ?? id) !== id,
    () => false,
  )
}

/** Until when the rate limit lets no call leave, in epoch ms, if that is longer than `maxWait`. A call fails at once. */
export const heldUntil = ({ retryAt = 0, waitReason }: RateLimitState, { maxWait }: PetstoreClient['rateLimit']) =>
  waitReason === 'rate-limit' && retryAt - Date.now() > maxWait ? retryAt : undefined

/** `heldUntil` of the provider's client. Until that time, buttons look held. A press sends nothing and says why. */
export const useHeldUntil = () => heldUntil(useRateLimit(), usePetstoreContext().client.rateLimit)
