import { useMemo, useSyncExternalStore } from 'react'

/**
 * Whole seconds until a deadline (epoch ms), 0 once it has passed; `undefined` without one, and on a server. Renders the
 * component that calls it once a second: keep that one small.
 */
export function useSecondsUntil(deadline: number | undefined): number | undefined {
  const countdown = useMemo(() => (deadline === undefined ? undefined : countdownTo(deadline)), [deadline])
  return useSyncExternalStore(countdown?.subscribe ?? neverChanges, countdown?.getSnapshot ?? nothing, nothing)
}

const nothing = () => undefined
const neverChanges = () => nothing

function countdownTo(deadline: number) {
  // From the clock each time: timers are late in background tabs, and stand still while the machine sleeps.
  const timeLeft = () => Math.max(0, deadline - Date.now())
  let seconds = Math.ceil(timeLeft() / 1_000)
  return {
    getSnapshot: () => seconds,
    subscribe: (changed: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const tick = () => {
        const left = timeLeft()
        seconds = Math.ceil(left / 1_000)
        // When the next second begins, so that none is left out.
        if (left > 0) timer = setTimeout(tick, left % 1_000 || 1_000)
        changed()
      }
      tick()
      return () => clearTimeout(timer)
    },
  }
}
