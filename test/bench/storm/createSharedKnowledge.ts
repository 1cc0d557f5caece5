/** The longest pause after failures in a row, in ms. */
const maxPause = 60_000

/** The cool-downs that the pages of a key would know of if they shared all they see. Times are true epoch ms. */
export function createSharedKnowledge() {
  let cooldownUntil = 0
  /** How many requests failed in a row for a reason that pages cannot see. */
  let failures = 0
  /** When the last pause after such failures began. Requests that left before it change nothing. */
  let pausedAt = 0
  return {
    isCoolingDown: (now: number) => now < cooldownUntil,
    recordRefusal: (until: number) => {
      cooldownUntil = Math.max(cooldownUntil, until)
    },
    /** The second failure in a row pauses the key for a second, and each further one for twice as long as before. */
    recordUnexplainedFailure: (sentAt: number, now: number) => {
      if (sentAt < pausedAt) return
      failures += 1
      if (failures < 2) return
      pausedAt = now
      cooldownUntil = Math.max(cooldownUntil, now + Math.min(maxPause, 1_000 * 2 ** (failures - 2)))
    },
    recordSuccess: (sentAt: number) => {
      if (sentAt >= pausedAt) failures = 0
    },
  }
}
