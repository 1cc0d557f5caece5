import { useEffect, useSyncExternalStore } from 'react'
import { emptyGateHistory, type GateHistory } from './gateHistory.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { recorderOf } from './recorderOf.ts'
import { useRecording } from './useRecording.ts'

/** In ms. */
const tick = 1_000

/** What is known about a client. Renders again with each change, and once a second while the page is visible. */
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
