import { createListeners } from '../base/listeners.ts'

/** What may happen to the next request. */
export type Fault = 'refuse' | 'fail' | 'lose' | 'delay'

export interface PendingFaultState {
  /** `undefined`: the next request is left alone. */
  readonly fault: Fault | undefined
  /** Whether any request has gone through a `fetch` that can cause faults. */
  readonly isConnected: boolean
}

const listeners = createListeners()
let state: PendingFaultState = { fault: undefined, isConnected: false }

function set(next: PendingFaultState): void {
  state = next
  listeners.call()
}

/** The fault of the page's next request. The panel sets it, and `fetch` takes it: nothing else connects the two. */
export const pendingFault = {
  getSnapshot: (): PendingFaultState => state,
  subscribe: listeners.add,
  set: (fault: Fault | undefined): void => set({ ...state, fault }),
  /** The fault for a request that leaves now. The next one is left alone. */
  take: (): Fault | undefined => {
    const { fault } = state
    if (fault || !state.isConnected) set({ fault: undefined, isConnected: true })
    return fault
  },
}
