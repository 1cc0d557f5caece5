/** A clock with timers, which may fire late: read the time when they do. */
export interface Clock {
  /** Epoch ms. */
  readonly now: () => number
  /** ms since any time. Nobody can set this clock. */
  readonly monotonic: () => number
  /**
   * Calls `wake` once, after about `ms`, or earlier if that exceeds `maxTimerDelay`. The returned function cancels it.
   *
   * @param isIdle - whether a process may end before the timer fires, since nothing waits for it
   */
  readonly wakeAfter: (ms: number, wake: () => void, isIdle?: boolean) => () => void
}

/** The longest delay of a timer, in ms: a longer one would fire at once. */
export const maxTimerDelay: number = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  wakeAfter: (ms, wake, isIdle) => {
    const timer = setTimeout(wake, Math.min(Math.ceil(Math.max(0, ms)), maxTimerDelay))
    if (isIdle) letProcessEnd(timer)
    return () => clearTimeout(timer)
  },
}

/** In Node, a pending timer keeps the process alive until `unref`. In a browser, a timer is a number. */
function letProcessEnd(timer: unknown): void {
  const { unref }: { readonly unref?: unknown } = Object(timer)
  if (typeof unref === 'function') unref.call(timer)
}

/** One timer that can be set again and again. */
export function createWakeTimer(clock: Clock, onWake: () => void) {
  let cancel = () => {}
  return {
    /** Replaces the time that was set before (epoch ms); with an infinite one, the timer never fires. */
    set: (at: number, isIdle = false) => {
      cancel()
      if (at < Infinity) cancel = clock.wakeAfter(Math.max(at - clock.now(), 1), onWake, isIdle)
    },
    cancel: () => cancel(),
  }
}
