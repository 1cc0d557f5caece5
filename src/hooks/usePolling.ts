import { useEffect, useInsertionEffect, useRef } from 'react'
import { maxTimerDelay } from '../rate-limit/Clock.ts'

/** What is asked, and when it was asked last. */
export interface Polled {
  readonly ask: () => void
  /** Epoch ms. */
  readonly lastPolledAt: () => number | undefined
}

/** Asks when nobody has asked for `interval` ms. So components that poll the same share one beat. */
export function usePolling(interval: number | undefined, polled: Polled): void {
  const latest = useRef(polled)
  useInsertionEffect(() => {
    latest.current = polled
  })

  useEffect(() => {
    if (interval === undefined || !(interval > 0)) return undefined
    const period = Math.min(interval, maxTimerDelay)
    /** `undefined`: it is time. So it is if the clock was set back, and the last time lies ahead. */
    const timeLeft = () => {
      const left = (latest.current.lastPolledAt() ?? 0) + period - Date.now()
      return left > 0 && left <= period ? left : undefined
    }
    const tick = () => {
      const left = timeLeft()
      if (left === undefined) latest.current.ask()
      timer = setTimeout(tick, left ?? period)
    }
    let timer = setTimeout(tick, timeLeft() ?? period)
    return () => clearTimeout(timer)
  }, [interval])
}
