/**
 * Why a call waits, as people are told. `rate-limit`: the key's quota is used up or paused by the service. `connection` and
 * `service`: requests failed without a response, or with one that explains nothing. `other-tabs`: it is the turn of other
 * tabs or processes.
 */
export type WaitReason = 'rate-limit' | 'connection' | 'service' | 'other-tabs'

/** When and why a request waits. */
export interface Wait {
  /** When the request leaves, in epoch ms. */
  readonly until: number
  readonly reason: WaitReason
  /** Whether it may also leave later: nobody knows yet what is left by then. */
  readonly isEarliest: boolean
}

/**
 * Called when a request has to wait, and again when its time or reason changes; called with `undefined` alone when it
 * leaves.
 *
 * @param until - when it leaves, in epoch ms
 * @param isEarliest - whether it may also leave later
 */
export type OnWait = (until: number | undefined, reason?: WaitReason, isEarliest?: boolean) => void
