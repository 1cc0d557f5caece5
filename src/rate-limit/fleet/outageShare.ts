import type { GateRecord, GateWindow } from '../GateRecord.ts'
import { countInFlight } from '../windows.ts'
import type { CustomRate } from '../plan.ts'

/** What a process may use of a quota that it shares with others, while it does not know what they use. */
export interface OutageShare {
  /** @param processes - how many processes share the quota */
  readonly limitWindows: (record: GateRecord, processes: number) => GateRecord
  /** Counts requests that have left. */
  readonly count: (requests: number) => void
  /** Forgets all parts: the processes know of each other again. */
  readonly end: () => void
}

/** The part of one window that belongs to this process. */
interface WindowShare {
  readonly limit: number
  readonly reset: number
  /** How many requests of the process have left in all when its part is used up. */
  readonly until: number
}

/**
 * Each process takes an equal part of what is left of a window when it first sees it: together that is all of it. What the
 * others have in flight is unknown and may not be counted yet, so each leaves out as much as it has in flight itself.
 */
export function createOutageShare(): OutageShare {
  let shares: readonly WindowShare[] = []
  let sent = 0

  return {
    count: (requests) => {
      sent += requests
    },
    limitWindows: (record, processes) => {
      const held = countInFlight(record)
      const shareOf = ({ limit, reset, remaining }: GateWindow): WindowShare =>
        shares.find((share) => share.limit === limit && Math.abs(share.reset - reset) <= 1_000) ?? {
          limit,
          reset,
          until: sent + Math.max(1, Math.floor(remaining / processes) - held),
        }
      shares = record.windows.map(shareOf)
      const windows = record.windows.map((window, index) => {
        const units = held + Math.max(0, (shares[index]?.until ?? 0) - sent)
        return { ...window, remaining: Math.min(window.remaining, units) }
      })
      return { ...record, windows }
    },
    end: () => {
      shares = []
    },
  }
}

/** The pace of one of several processes that do not know of each other. */
export function dividePace(pace: CustomRate, processes: number): CustomRate {
  return processes > 1 ? { ...pace, limit: Math.max(1, Math.floor(pace.limit / processes)) } : pace
}
