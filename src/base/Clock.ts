/** A clock with timers. A timer may fire late, so read the time when it fires. */
export interface Clock {
  /** Epoch ms. */
  readonly now: () => number
  /** ms since an arbitrary moment. Unlike `now`, it does not jump when somebody sets the machine's clock. */
  readonly monotonic: () => number
  /**
   * Calls `wake` once, after about `ms`, at the latest after `maxTimerDelay`. The returned function cancels the timer.
   *
   * @param letsProcessEnd - whether a Node process may end before the timer fires, since nothing waits for the timer
   */
  readonly wakeAfter: (ms: number, wake: () => void, letsProcessEnd?: boolean) => () => void
}

/** The longest delay that `setTimeout` takes, in ms: with a longer one it fires at once. */
export const maxTimerDelay: number = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  wakeAfter: (ms, wake, letsProcessEnd) => {
    const timer = setTimeout(wake, Math.min(Math.ceil(Math.max(0, ms)), maxTimerDelay))
    if (letsProcessEnd) unrefTimer(timer)
    return () => clearTimeout(timer)
  },
}

/** In Node, a pending timer keeps the process alive unless `unref` is called. In a browser, a timer is a number. */
function unrefTimer(timer: unknown): void {
  const { unref }: { readonly unref?: unknown } = Object(timer)
  if (typeof unref === 'function') unref.call(timer)
}

/** One timer that can be set again and again. */
export function createWakeTimer(clock: Clock, onWake: () => void) {
  let cancel = () => {}
  return {
    /** Sets when the timer fires (epoch ms), in place of the time that was set before. `Infinity`: never. */
    set: (at: number, letsProcessEnd = false) => {
      cancel()
      if (at < Infinity) cancel = clock.wakeAfter(Math.max(at - clock.now(), 1), onWake, letsProcessEnd)
    },
    cancel: () => cancel(),
  }
}
