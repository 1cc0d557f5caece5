/** The processes that share a record, as one of them knows them. */
export interface KnownProcesses {
  /** How many there are, or were before the store failed. */
  readonly count: number
  /** Whether the store knows of all of them: after a failure others may still use their parts without it. */
  readonly areComplete: boolean
  /** Since when they have to be back (epoch ms of the store's clock), or nothing if they are complete. */
  readonly since: number | undefined
  /** Call it when the store has failed. */
  readonly fail: () => void
  /**
   * Call it when the store has responded.
   *
   * @param count - how many have used the record lately
   * @param back - how many of them have used it since `since`
   */
  readonly learn: (count: number, back: number) => void
}

/** A process that is not back after this time is gone, in ms: each tries the store again in half a minute at the latest. */
const returnTime = 31_000

/** @param now - the clock of the store, in epoch ms */
export function createKnownProcesses(now: () => number): KnownProcesses {
  let count = 1
  let before: number | undefined
  let since: number | undefined
  let recoveredAt: number | undefined

  return {
    get count() {
      return before ?? count
    },
    get areComplete() {
      return before === undefined
    },
    get since() {
      return since
    },
    fail: () => {
      before ??= count
      since = now()
      recoveredAt = undefined
    },
    learn: (known, back) => {
      count = known
      recoveredAt ??= now()
      if (before === undefined || (back < before && now() < recoveredAt + returnTime)) return
      before = undefined
      since = undefined
    },
  }
}
