/** Counts what has been used in the current period and in the one before. */
export interface RecentUsage {
  readonly count: (units: number) => void
  readonly total: () => number
}

/**
 * @param period - in ms
 * @param monotonic - ms since some moment
 */
export function createRecentUsage(period: number, monotonic: () => number): RecentUsage {
  let current = 0
  let before = 0
  let startedAt = 0

  function advance(): void {
    const passed = Math.floor((monotonic() - startedAt) / period)
    if (passed < 1) return
    before = passed === 1 ? current : 0
    current = 0
    startedAt += passed * period
  }

  return {
    count: (units) => {
      advance()
      current += units
    },
    total: () => {
      advance()
      return current + before
    },
  }
}
