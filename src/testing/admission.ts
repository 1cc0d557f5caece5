import { type RawResponse, errorResponse } from './RawResponse.ts'
import { afterArrival, afterRefusal, type CoolDown, isBanned, isCoolingDown, noCoolDown } from './ban.ts'
import { chargeQuota, type Quota, type QuotaView, untouchedQuota, viewQuota } from './quota.ts'
import type { Settings } from './readOptions.ts'
import { writeRetryAfter } from './retryAfter.ts'

/** Whether a request may run. */
interface AdmissionResult {
  readonly counted: boolean
  readonly banned: boolean
  /** The response of a request that may not run. */
  readonly refusal?: RawResponse
}

/** Holds the quotas, cool-downs and bans of all keys. Times are epoch milliseconds. */
export interface Admission {
  /** The quota that a response announces. A request without a known key gets a full one. */
  readonly quota: (key: string | undefined, now: number) => QuotaView
  readonly isCoolingDown: (key: string, now: number) => boolean
  /** Counts a request, or refuses it with a 429 or the ban of its key. */
  readonly admit: (key: string, now: number) => AdmissionResult
}

interface KeyRecord {
  quota: Quota
  coolDown: CoolDown
}

export function createAdmission(settings: Pick<Settings, 'keys' | 'plan' | 'ban' | 'retryAfter'>): Admission {
  const { plan, ban, retryAfter } = settings
  const records = new Map<string, KeyRecord>()
  for (const key of settings.keys) records.set(key, { quota: untouchedQuota, coolDown: noCoolDown })

  const refuse = (response: RawResponse, until: number, now: number): RawResponse => ({
    ...response,
    headers: { ...response.headers, 'Retry-After': writeRetryAfter(retryAfter, until, now) },
  })

  return {
    quota: (key = '', now) => viewQuota(plan, records.get(key)?.quota ?? untouchedQuota, now),
    isCoolingDown: (key, now) => isCoolingDown(records.get(key)?.coolDown ?? noCoolDown, ban.grace, now),
    admit(key, now) {
      const record = records.get(key)
      if (!record) throw new Error('Only known keys are admitted.')
      record.coolDown = afterArrival(record.coolDown, ban, now)
      if (isBanned(record.coolDown, now)) {
        const { bannedUntil, until } = record.coolDown
        const response = errorResponse(ban.status, 'key_banned', 'The API key is banned for a while (a simulation).')
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
