import { oncePerObject } from '../hooks/state.ts'
import { createListeners } from '../base/listeners.ts'
import { addEvent, addInspection, emptyGateHistory, type GateHistory } from './gateHistory.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'

/** Records what a client does while someone subscribes. */
export interface Recorder {
  readonly getSnapshot: () => GateHistory
  readonly subscribe: (listener: () => void) => () => void
  /** Looks at the gate soon: its state can change without an event. */
  readonly look: () => void
}

/** Many events in a row are one change, in ms. */
const gatherTime = 100

/** The recorder of a client. What it has recorded outlives its subscribers, so a panel can be closed and opened. */
export const recorderOf = oncePerObject((client: PetstoreClient): Recorder => {
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
      unsubscribe ??= client.subscribe((event) => {
        recorded = addEvent(recorded, event)
        look()
      })
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
