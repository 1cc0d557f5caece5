/** The clock and the timers of the gate. Timers may fire late: only `now` tells the time. */
export interface Clock {
  /** Epoch ms. */
  readonly now: () => number
  /** ms since some moment. Nobody can set it. */
  readonly monotonic: () => number
  /**
   * Calls `wake` once, after about `ms`, or earlier if that exceeds `maxTimerDelay`. The returned function cancels it.
   */
  readonly wakeAfter: (ms: number, wake: () => void) => () => void
}

/** The longest delay of a timer, in ms: a longer one would fire at once. */
export const maxTimerDelay: number = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  wakeAfter: (ms, wake) => {
    const timer = setTimeout(wake, Math.min(Math.ceil(Math.max(0, ms)), maxTimerDelay))
    return () => clearTimeout(timer)
  },
}
