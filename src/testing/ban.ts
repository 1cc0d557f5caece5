/** When a key is banned. A simulation: the interface document only says that a ban may happen. */
export interface BanRules {
  /** How many requests a cool-down tolerates; the next one bans the key. */
  readonly after: number
  /** Requests do not count within this many milliseconds after the first 429, as they may have been in flight. */
  readonly grace: number
  /** Length of the ban in milliseconds. */
  readonly duration: number
  /** Status of every response during the ban. */
  readonly status: number
}

/** A key's cool-down, from its first 429 until requests are admitted again. Times are epoch milliseconds. */
export interface CoolDown {
  readonly since: number
  readonly until: number
  /** Requests that arrived during the cool-down, after the grace period. */
  readonly attemptsDuringCooldown: number
  readonly bannedUntil: number
}

export const noCoolDown: CoolDown = {
  since: -Infinity,
  until: -Infinity,
  attemptsDuringCooldown: 0,
  bannedUntil: -Infinity,
}

/** The cool-down after a 429 at `now` that lasts until `until`. Later 429s of the same cool-down change nothing. */
export function afterRefusal(coolDown: CoolDown, until: number, now: number): CoolDown {
  return now < coolDown.until ? coolDown : { ...coolDown, since: now, until, attemptsDuringCooldown: 0 }
}

/** Whether a request that arrives at `now` violates the cool-down. */
export function isCoolingDown(coolDown: CoolDown, grace: number, now: number): boolean {
  return now < coolDown.until && now - coolDown.since > grace
}

export function isBanned(coolDown: CoolDown, now: number): boolean {
  return now < coolDown.bannedUntil
}

/** The cool-down after a request that arrives at `now`, which may ban the key. A running ban is not extended. */
export function afterArrival(coolDown: CoolDown, rules: BanRules, now: number): CoolDown {
  if (isBanned(coolDown, now) || !isCoolingDown(coolDown, rules.grace, now)) return coolDown
  const attemptsDuringCooldown = coolDown.attemptsDuringCooldown + 1
  if (attemptsDuringCooldown <= rules.after) return { ...coolDown, attemptsDuringCooldown }
  return { ...coolDown, attemptsDuringCooldown: 0, bannedUntil: now + rules.duration }
}
