/** The longest pause after failures in a row, in ms. */
const maxPause = 60_000

/** What the pages of a key could know together about cool-downs, whatever the client. Times are true epoch ms. */
export function createSharedKnowledge() {
  let cooldownUntil = 0
  /** Failures in a row whose reason pages cannot see. */
  let failures = 0
  /** When the last pause after such failures began. */
  let pausedAt = 0
  return {
    isCoolingDown: (now: number) => now < cooldownUntil,
    recordRefusal: (until: number) => {
      cooldownUntil = Math.max(cooldownUntil, until)
    },
    /** One failure tells nothing. From the second one in a row, the key pauses for a second, doubled with each one. */
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
