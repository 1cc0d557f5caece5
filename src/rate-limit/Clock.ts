/** Time, as the gate knows it. Timers only wake: what the time is, `now` says. */
export interface Clock {
  /** Epoch ms. */
  readonly now: () => number
  /**
   * Calls `wake` once, in about `ms` or, should that be longer than a timer takes, earlier; unless the returned function
   * is called before.
   */
  readonly wakeAfter: (ms: number, wake: () => void) => () => void
}

/** The longest time that a timer can be set to; a longer one would fire at once. */
export const maxTimerDelay: number = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAfter: (ms, wake) => {
    const timer = setTimeout(wake, Math.min(Math.ceil(Math.max(0, ms)), maxTimerDelay))
    return () => clearTimeout(timer)
  },
}
