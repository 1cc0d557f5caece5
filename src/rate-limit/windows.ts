import type { ClockSkew, GateRecord, GateWindow } from './GateRecord.ts'
import { day, minute } from './plan.ts'
import type { RateLimitHeaders } from './rateLimitHeaders.ts'

const maxWindows = 4

/** Services that count down to their reset round it differently from response to response. In ms. */
const resetTolerance = 1_000

export function liveWindows(record: GateRecord, now: number): GateWindow[] {
  return record.windows.filter((window) => window.resetAt > now)
}

/**
 * The window that a response announces; `undefined` if it does not say how many requests are left.
 *
 * @param slack - ms to add to its end
 * @param unreportedUnits - units that are spent and that the response may not report
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
  const span = reset === undefined ? 0 : Math.min(day, Math.max(0, reset - skew.max - now))
  return { limit, remaining: left, reset: reset ?? 0, resetAt: endsIn > 0 ? now + endsIn + slack : now, span }
}

/**
 * Merges a window that a response announced. Within one window `remaining` only falls. The announced window already
 * counts the request; from every other one it takes a unit.
 *
 * @param heldUnit - whether the request was in flight until now: an expired one has spent its unit before
 */
export function mergeWindow(
  windows: readonly GateWindow[],
  announced: GateWindow,
  heldUnit: boolean,
  now: number,
): GateWindow[] {
  const known = windows.find((window) => window.limit === announced.limit)
  const spent = heldUnit ? windows.map((window) => spend(window, 1)) : windows
  const doubted = spent.map((window) => contradict(window, announced, !known, now))
  if (!known || known.resetAt <= now) return withWindow(doubted, announced)
  const { contradictions: _, ...trusted } = known
  const merged = tighterWindow(trusted, announced)
  return merged === trusted ? doubted : withWindow(doubted, merged)
}

/**
 * After a change of plan, the windows of the former plan must not hold the app up. A limit that was unknown until now,
 * with more units left and an earlier end, contradicts a window. The second response in a row that does so ends it. A
 * service that announces its limits in turn repeats the window in between, and so keeps it.
 */
function contradict(window: GateWindow, announced: GateWindow, isNewLimit: boolean, now: number): GateWindow {
  const { contradictions = 0, limit, remaining, resetAt } = window
  if (limit === announced.limit || remaining >= announced.remaining || resetAt <= announced.resetAt) return window
  if (contradictions > 0) return { ...window, resetAt: Math.min(resetAt, now) }
  return isNewLimit && announced.limit > 0 ? { ...window, contradictions: 1 } : window
}

/** Of two windows of one limit: the later one, or the smaller values of both if they are the same window. */
export function tighterWindow(one: GateWindow, other: GateWindow): GateWindow {
  if (one.reset > other.reset + resetTolerance) return one
  if (other.reset > one.reset + resetTolerance) return other
  return {
    ...one,
    remaining: Math.min(one.remaining, other.remaining),
    resetAt: Math.min(one.resetAt, other.resetAt),
    span: longerSpan(one, other),
  }
}

/** Replaces the window of the same limit. Of too many windows, keeps those that end last. */
export function withWindow(windows: readonly GateWindow[], window: GateWindow): GateWindow[] {
  const others = windows.filter((other) => other.limit !== window.limit).sort((a, b) => b.resetAt - a.resetAt)
  const known = windows.find((other) => other.limit === window.limit) ?? window
  return [{ ...window, span: longerSpan(window, known) }, ...others.slice(0, maxWindows - 1)]
}

function longerSpan(one: GateWindow, other: GateWindow): number {
  return Math.max(one.span ?? 0, other.span ?? 0)
}

/** Ends all windows now, for their limits to stay known. */
export function endWindows(windows: readonly GateWindow[], now: number): GateWindow[] {
  return windows.map((window) => ({ ...window, resetAt: Math.min(window.resetAt, now) }))
}

export function spend(window: GateWindow, units: number): GateWindow {
  return { ...window, remaining: Math.max(0, window.remaining - units) }
}
