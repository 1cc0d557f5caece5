import { useMemo, useSyncExternalStore } from 'react'

/**
 * Whole seconds until a deadline (epoch ms), 0 once it has passed; `undefined` without a deadline and on a server.
 * Re-renders its component once a second, so call it in a small one.
 */
export function useSecondsUntil(deadline: number | undefined): number | undefined {
  const countdown = useMemo(() => (deadline === undefined ? undefined : createCountdown(deadline)), [deadline])
  return useSyncExternalStore(countdown?.subscribe ?? neverChanges, countdown?.getSnapshot ?? nothing, nothing)
}

const nothing = () => undefined
const neverChanges = () => nothing

function createCountdown(deadline: number) {
  // Reads the clock each time: timers are late in background tabs and stop while the machine sleeps.
  const timeLeft = () => Math.max(0, deadline - Date.now())
  let seconds: number | undefined
  return {
    // Not before React asks: a server never does, and a prerender must not read the clock.
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
