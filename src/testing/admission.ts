import { chargeQuota, type QuotaView, type QuotaWindow, untouchedQuota, viewQuota } from './quota.ts'
import { errorResponse, type RawResponse } from './RawResponse.ts'

/** How the service simulates the ban of a key. The interface document does not describe a real ban. */
export interface BanOptions {
  /** How many requests a cool-down tolerates after `grace`; the next one bans the key. Default 3. */
  readonly after?: number
  /**
   * Requests that arrive within this many milliseconds after a cool-down's first 429 do not count towards a ban, because
   * they may have been in flight. Default 1,000.
   */
  readonly grace?: number
  /** How long the ban lasts, in milliseconds. Default 300,000 (five minutes). */
  readonly duration?: number
}

export interface AdmissionRules {
  readonly keys: ReadonlySet<string>
  readonly plan: readonly QuotaWindow[]
  /** Set even if no key is ever banned: `grace` also decides `RecordedRequest.coolingDown`. */
  readonly ban: Required<BanOptions>
}

export type Admission = ReturnType<typeof createAdmission>

/** Holds the quotas, cool-downs and bans of all keys. Times are epoch milliseconds. */
export function createAdmission({ keys, plan, ban }: AdmissionRules) {
  const records = new Map([...keys].map((key) => [key, { quota: untouchedQuota, coolDown: noCoolDown }]))

  const refuse = (response: RawResponse, until: number, now: number): RawResponse => ({
    ...response,
    // In whole seconds, rounded up, so that a client that waits is never early.
    headers: { ...response.headers, 'Retry-After': String(Math.ceil((until - now) / 1000)) },
  })

  return {
    /** The quota that a response announces. A request without a known key gets a full quota. */
    quota: (key: string | undefined, now: number): QuotaView =>
      viewQuota(plan, records.get(key ?? '')?.quota ?? untouchedQuota, now),
    isCoolingDown: (key: string, now: number): boolean =>
      isCoolingDown(records.get(key)?.coolDown ?? noCoolDown, ban.grace, now),
    /** Charges the quota, or refuses the request: with 403 if its key is banned, with 429 if a window is used up. */
    admit: (key: string, now: number) => {
      const record = records.get(key)
      if (!record) throw new Error('Only known keys are admitted.')
      record.coolDown = afterArrival(record.coolDown, ban, now)
      if (isBanned(record.coolDown, now)) {
        const { bannedUntil, until } = record.coolDown
        const response = errorResponse(403, 'key_banned', 'The API key is banned for a while (a simulation).')
        return { counted: false, banned: true, refusal: refuse(response, Math.max(bannedUntil, until), now) }
      }
      const charged = chargeQuota(plan, record.quota, now)
      if (charged) {
        record.quota = charged
        return { counted: true, banned: false }
      }
      const { resetAt } = viewQuota(plan, record.quota, now)
      record.coolDown = afterRefusal(record.coolDown, resetAt, now)
      // No body: the interface document promises none.
      return { counted: false, banned: false, refusal: refuse({ status: 429 }, resetAt, now) }
    },
  }
}

/** A key's last cool-down, from its first 429 until the announced reset, and its ban. Times are epoch milliseconds. */
type CoolDown = Readonly<typeof noCoolDown>

const noCoolDown = {
  since: -Infinity,
  until: -Infinity,
  /** Requests that arrived during the cool-down, after `grace`. */
  attemptsDuringCooldown: 0,
  bannedUntil: -Infinity,
}

/** The cool-down after a 429 at `now` that lasts until `until`. Later 429s of the same cool-down change nothing. */
function afterRefusal(coolDown: CoolDown, until: number, now: number): CoolDown {
  return now < coolDown.until ? coolDown : { ...coolDown, since: now, until, attemptsDuringCooldown: 0 }
}

/** Whether a request that arrives at `now` violates the cool-down. Within `grace`, it may have been in flight. */
export function isCoolingDown(coolDown: CoolDown, grace: number, now: number): boolean {
  return now < coolDown.until && now - coolDown.since > grace
}

function isBanned(coolDown: CoolDown, now: number): boolean {
  return now < coolDown.bannedUntil
}

/** The cool-down after a request that arrives at `now`, which may ban the key. A running ban is not extended. */
function afterArrival(coolDown: CoolDown, rules: Required<BanOptions>, now: number): CoolDown {
  if (isBanned(coolDown, now) || !isCoolingDown(coolDown, rules.grace, now)) return coolDown
  const attemptsDuringCooldown = coolDown.attemptsDuringCooldown + 1
  if (attemptsDuringCooldown <= rules.after) return { ...coolDown, attemptsDuringCooldown }
  return { ...coolDown, attemptsDuringCooldown: 0, bannedUntil: now + rules.duration }
}
