'use client'

import { useMemo, useSyncExternalStore } from 'react'

/**
 * Returns the whole seconds until a time: 0 once it has passed, `undefined` without a time, on a server and until hydration
 * has ended. Renders its component once a second, so call it in a small one. `Countdown` makes a text of it.
 *
 * @param until - epoch ms
 */
export function useSecondsUntil(until: number | undefined): number | undefined {
  const countdown = useMemo(() => (until === undefined ? undefined : createCountdown(until)), [until])
  return useSyncExternalStore(countdown?.subscribe ?? neverChanges, countdown?.getSnapshot ?? nothing, nothing)
}

const nothing = () => undefined
const neverChanges = () => nothing

function createCountdown(until: number) {
  // Reads the clock each time: timers are late in background tabs and stop while the machine sleeps.
  const timeLeft = () => Math.max(0, until - Date.now())
  let seconds: number | undefined
  return {
    // Reads the clock only when React asks: it never does so on a server, where a prerender must not read it.
    getSnapshot: () => (seconds ??= Math.ceil(timeLeft() / 1_000)),
    subscribe: (onChange: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const tick = () => {
        const left = timeLeft()
        seconds = Math.ceil(left / 1_000)
        // At the start of the next second, so that no second is skipped.
        if (left > 0) timer = setTimeout(tick, left % 1_000 || 1_000)
        onChange()
      }
      tick()
      return () => clearTimeout(timer)
    },
  }
}
