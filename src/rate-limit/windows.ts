import type { GateRecord, GateWindow, ClockSkew } from './GateRecord.ts'
import { day, minute } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

const maxWindows = 4

/** Services that count down to their reset round it differently from response to respond, in ms. */
const resetTolerance = 1_000

/** The windows that have not ended. */
export function liveWindows(record: GateRecord, now: number): GateWindow[] {
  return record.windows.filter((window) => window.resetAt > now)
}

/**
 * The window that a response announces, if it says how much of it is left.
 *
 * @param missed - units that have been spent, and that the response may not tell of
 */
export function announcedWindow(
  rateLimitHeaders: RateLimitHeaders,
  skew: ClockSkew,
  now: number,
  slack: number,
  unreportedUnits = 0,
): GateWindow | undefined {
  const { limit = 0, remaining, resetAt: reset } = rateLimitHeaders
  if (remaining === undefined) return undefined
  const left = Math.max(0, (limit > 0 ? Math.min(remaining, limit) : remaining) - unreportedUnits)
  const endsIn = reset === undefined ? minute : Math.min(day, reset - skew.min - now)
  return { limit, remaining: left, reset: reset ?? 0, resetAt: endsIn > 0 ? now + endsIn + slack : now }
}

/**
 * Takes in a window that a request announced on its return. Within one window `remaining` only falls. The request
 * counted in all windows: in the announced one that is told, in the others it is one unit.
 */
export function mergeWindow(
  windows: readonly GateWindow[],
  announced: GateWindow,
  heldUnit: boolean,
  now: number,
): GateWindow[] {
  const known = windows.find((window) => window.limit === announced.limit)
  const spent = heldUnit ? windows.map(spendOne) : [...windows]
  if (!known || known.resetAt <= now) return withWindow(spent, announced)
  const joined = tighterWindow(known, announced)
  return joined === known ? spent : withWindow(spent, joined)
}

/** Of two windows of one limit the later; where they are the same, the less of what either says. */
export function tighterWindow(one: GateWindow, other: GateWindow): GateWindow {
  if (one.reset > other.reset + resetTolerance) return one
  if (other.reset > one.reset + resetTolerance) return other
  return {
    ...one,
    remaining: Math.min(one.remaining, other.remaining),
    resetAt: Math.min(one.resetAt, other.resetAt),
  }
}

/** The windows with this one in place of the one of the same limit; those that end last, should there be many. */
export function withWindow(windows: readonly GateWindow[], window: GateWindow): GateWindow[] {
  const others = windows.filter((other) => other.limit !== window.limit).sort((a, b) => b.resetAt - a.resetAt)
  return [window, ...others.slice(0, maxWindows - 1)]
}

export function endWindows(windows: readonly GateWindow[], now: number): GateWindow[] {
  return windows.map((window) => ({ ...window, resetAt: Math.min(window.resetAt, now) }))
}

export function spendOne(window: GateWindow): GateWindow {
  return { ...window, remaining: Math.max(0, window.remaining - 1) }
}
