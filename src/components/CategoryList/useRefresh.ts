import { useState } from 'react'

interface Refresh {
  /** Whether a refresh that a person asked for is under way. */
  readonly isRefreshing: boolean
  readonly refresh: () => void
}

/**
 * Distinguishes refreshes that a person asked for from requests in the background. `load` never rejects. Another `load`,
 * as that of another client, is not under way yet.
 */
export function useRefresh(load: () => Promise<unknown>): Refresh {
  const [underWay, setUnderWay] = useState<{ readonly load: () => Promise<unknown> }>()

  async function run(): Promise<void> {
    const started = { load }
    setUnderWay(started)
    await load()
    setUnderWay((latest) => (latest === started ? undefined : latest))
  }

  return { isRefreshing: underWay?.load === load, refresh: () => void run() }
}
