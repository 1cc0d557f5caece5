/** When a key is banned. All of it is our simulation: the interface document only says that a ban may come. */
export interface BanRules {
  /** Requests that a cool-down bears; the next one bans the key. */
  readonly after: number
  /** For so long after the first 429 (ms) requests are forgiven, since they may have been under way. */
  readonly grace: number
  /** Length of the ban in milliseconds. */
  readonly duration: number
  /** Status of every response during the ban. */
  readonly status: number
}

/** A key's cool-down: it begins with a 429, and ends when requests would be admitted again. Times in epoch ms. */
export interface CoolDown {
  readonly since: number
  readonly until: number
  /** Requests that came during it, without those forgiven. */
  readonly attemptsDuringCooldown: number
  readonly bannedUntil: number
}

export const noCoolDown: CoolDown = {
  since: -Infinity,
  until: -Infinity,
  attemptsDuringCooldown: 0,
  bannedUntil: -Infinity,
}

/** After a 429 at `now` that asks to wait until `until`. Further ones of the same cool-down change nothing. */
export function afterRefusal(coolDown: CoolDown, until: number, now: number): CoolDown {
  return now < coolDown.until ? coolDown : { ...coolDown, since: now, until, attemptsDuringCooldown: 0 }
}

/** Whether a request arriving at `now` should have stayed away. */
export function isCoolingDown(coolDown: CoolDown, grace: number, now: number): boolean {
  return now < coolDown.until && now - coolDown.since > grace
}

export function isBanned(coolDown: CoolDown, now: number): boolean {
  return now < coolDown.bannedUntil
}

/** After a request arrived at `now`: perhaps one too many. A ban that runs is not prolonged. */
export function afterArrival(coolDown: CoolDown, rules: BanRules, now: number): CoolDown {
  if (isBanned(coolDown, now) || !isCoolingDown(coolDown, rules.grace, now)) return coolDown
  const attemptsDuringCooldown = coolDown.attemptsDuringCooldown + 1
  if (attemptsDuringCooldown <= rules.after) return { ...coolDown, attemptsDuringCooldown }
  return { ...coolDown, attemptsDuringCooldown: 0, bannedUntil: now + rules.duration }
}
