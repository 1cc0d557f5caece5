import type { Formats } from './formats.ts'

/** The labels of `RateLimitBadge`. */
export interface RateLimitBadgeLabels {
  /** Names the badge. */
  readonly title: string
  /** Names the meter for assistive technology. */
  readonly meter: string
  readonly unknown: string
  readonly ok: string
  readonly low: string
  readonly exhausted: string
  readonly coolingDown: string
  /** Requests fail without a response. */
  readonly connection: string
  /** Requests fail with a response that does not explain it. */
  readonly service: string
  /** "12 of 60 requests left". */
  readonly remaining: (remaining: number, limit: number, format: Formats) => string
  /** If the limit is unknown: "12 requests left". */
  readonly remainingOnly: (remaining: number, format: Formats) => string
  /** In the compact badge: "12/60". */
  readonly remainingShort: (remaining: number, limit: number, format: Formats) => string
  /** "Resumes in 42 seconds"; for long waits with a `time` such as "at 4:15 PM". */
  readonly nextIn: (wait: string, time?: string) => string
  /** Replaces `nextIn` while requests fail. */
  readonly retryingIn: (wait: string, time?: string) => string
  /** "Resets at 12:05 PM"; `time` is a phrase such as "at 12:05 PM" or "tomorrow at 12:00 AM". */
  readonly resetsAt: (time: string) => string
  /** Announced when requests can be sent again. */
  readonly restored: string
}
