import { useState } from 'react'

interface Refresh {
  /** Whether a refresh that a person asked for is under way. */
  readonly isRefreshing: boolean
  readonly refresh: () => void
}

/** Distinguishes refreshes that a person asked for from requests in the background. `load` never rejects. */
export function useRefresh(load: () => Promise<unknown>): Refresh {
  const [isRefreshing, setRefreshing] = useState(false)

  async function run(): Promise<void> {
    setRefreshing(true)
    await load()
    setRefreshing(false)
  }

  return { isRefreshing, refresh: () => void run() }
}
