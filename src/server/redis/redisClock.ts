/** The clock of Redis, as far as this process knows it. */
export interface RedisClock {
  /** Epoch ms; by the clock of this machine until Redis has named a time. */
  readonly now: () => number
  /** Compares the clocks: Redis named the time at some moment after the monotonic time `sentAt`, until now. */
  readonly learn: (time: number, sentAt: number) => void
}

/**
 * Follows the clock of Redis by one that nobody can set. It changes its mind only if a response contradicts it: a clock
 * that jumped by some ms with each response would make one time two.
 */
export function createRedisClock(
  now: () => number = () => Date.now(),
  monotonic: () => number = () => performance.now(),
): RedisClock {
  /** By how much the clock of Redis is ahead of the monotonic one. */
  let ahead: number | undefined
  return {
    now: () => (ahead === undefined ? now() : Math.floor(monotonic() + ahead)),
    learn: (time, sentAt) => {
      const earliest = time - monotonic()
      const latest = time - sentAt + 1 // it named whole ms
      ahead = Math.min(Math.max(ahead ?? (earliest + latest) / 2, earliest), latest)
    },
  }
}
