import type { CallOptions } from '../client/PetstoreClient.ts'
import { withAbort } from '../base/abort.ts'
import type { Clock } from '../base/Clock.ts'
import { createFairScheduler, type FairScheduler, type FairSchedulerOptions, type QueuedCall } from './fairScheduler.ts'
import type { Turn } from './turns.ts'

/** A queue in front of the client, fair between users. */
export interface FairQueue extends Pick<FairScheduler, 'rateLimitOf' | 'closeGroups'> {
  /**
   * Runs `perform` when it is the call's turn, with an `onWait` to pass to the client.
   *
   * @throws RateLimitError when the user's share is used up or the wait is too long; QueueFullError; the signal's reason
   */
  readonly run: <Result>(
    call: QueuedCall & { readonly signal: AbortSignal | undefined },
    perform: (onWait: NonNullable<CallOptions['onWait']>) => Promise<Result>,
  ) => Promise<Result>
  /** Rejects all calls that wait with an AbortError. */
  readonly close: () => void
}

export interface FairQueueOptions extends FairSchedulerOptions {
  readonly clock: Clock
  /** How long a call may wait for its turn, in ms. */
  readonly maxWait: number
}

/** How often a waiting call makes sure that no turn is missed, in ms: the runtime that should have called it may be gone. */
const checkTime = 1_000

/** The gate lets each call wait so long for the first response of all, in ms. */
const minPatience = 5_000

/** Holds the timers and signals of the calls that the scheduler lets wait. */
export function createFairQueue({ maxWait, ...options }: FairQueueOptions): FairQueue {
  const { clock } = options
  const scheduler = createFairScheduler(options)
  const patience = Math.max(maxWait, minPatience)

  async function waitForTurn(call: QueuedCall, signal: AbortSignal | undefined): Promise<Turn> {
    const since = clock.monotonic()
    let stopChecking = () => {}
    try {
      return await withAbort(signal, (ended) => {
        return new Promise<Turn>((resolve, reject) => {
          const waiting = { ...call, admit: resolve, refuse: reject }
          const check = () => {
            const left = patience - (clock.monotonic() - since)
            if (left <= 0) return scheduler.giveUp(waiting)
            stopChecking = clock.wakeAfter(Math.min(checkTime, left), check)
            scheduler.check(call.user)
          }
          ended.addEventListener('abort', () => scheduler.remove(waiting))
          stopChecking = clock.wakeAfter(Math.min(checkTime, patience), check)
          scheduler.enqueue(waiting)
        })
      })
    } finally {
      stopChecking()
    }
  }

  return {
    run: async ({ signal, ...call }, perform) => {
      const turn = scheduler.join(call.group) ?? (await waitForTurn(call, signal))
      try {
        return await perform((until) => {
          if (until === undefined) scheduler.leave(turn)
        })
      } finally {
        scheduler.settle(turn)
      }
    },
    rateLimitOf: scheduler.rateLimitOf,
    closeGroups: scheduler.closeGroups,
    close: () => scheduler.clear(AbortSignal.abort().reason),
  }
}
