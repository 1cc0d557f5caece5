import { useEffect } from 'react'
import { maxTimerDelay } from '../base/Clock.ts'
import { useLatestRef } from './useLatestRef.ts'

export interface Polling {
  readonly poll: () => void
  /** When anyone last sent the request that `poll` sends, in epoch ms. */
  readonly lastPolledAt: () => number | undefined
}

/** Polls when nobody has sent the request for `interval` ms, so that components with equal queries share one rhythm. */
export function usePolling(interval: number | undefined, polling: Polling): void {
  const latest = useLatestRef(polling)

  useEffect(() => {
    if (interval === undefined || !(interval > 0)) return undefined
    const period = Math.min(interval, maxTimerDelay)
    /** `undefined`: a poll is due, also after a clock rollback, which puts the last poll into the future. */
    const timeLeft = () => {
      const left = (latest.current.lastPolledAt() ?? 0) + period - Date.now()
      return left > 0 && left <= period ? left : undefined
    }
    const tick = () => {
      const left = timeLeft()
      if (left === undefined) latest.current.poll()
      timer = setTimeout(tick, left ?? period)
    }
    let timer = setTimeout(tick, timeLeft() ?? period)
    return () => clearTimeout(timer)
  }, [interval, latest])
}
