import type { Clock } from './Clock.ts'

/** One timer that can be set again and again. */
export interface WakeTimer {
  /** Replaces the time that was set before (epoch ms); with an infinite one, the timer never fires. */
  readonly set: (at: number) => void
  readonly cancel: () => void
}

export function createWakeTimer(clock: Clock, onWake: () => void): WakeTimer {
  let cancel = () => {}
  return {
    set: (at) => {
      cancel()
      if (at < Infinity) cancel = clock.wakeAfter(Math.max(at - clock.now(), 1), onWake)
    },
    cancel: () => cancel(),
  }
}
