import type { WaitReason } from '../rate-limit/pendingRequest.ts'
import { type Formats, isAnotherDay } from './formats.ts'

/**
 * A label with a wait, such as "12 seconds", and the end of a long one, such as "at 4:15 PM". On another day the end says it
 * all.
 */
export type WaitLabel = (wait: string, time?: string, isAnotherDay?: boolean) => string

/**
 * A label with a wait, its reason, and whether it may take longer. `wait` is a text such as "12 seconds", and `time`, for long
 * waits, such as "at 4:15 PM".
 */
export type WaitSentence = (wait: string, time?: string, reason?: WaitReason, isEarliest?: boolean) => string

/** The subject of a sentence about a wait. */
interface WaitDetails {
  readonly reason: WaitReason
  readonly isEarliest: boolean
}

/** The label of one wait. */
export const labelOfWait =
  (sentence: WaitSentence, { reason, isEarliest }: WaitDetails): WaitLabel =>
  (wait, time) =>
    sentence(wait, time, reason, isEarliest)

/** From this wait on, in seconds, people look at a clock instead of a countdown. */
const clockWait = 120

/** @param seconds - of the wait */
export const isLongWait = (seconds: number): boolean => seconds >= clockWait

/**
 * The text about a wait, the same for the screen and for announcements.
 *
 * @param until - epoch ms
 */
export function waitText(
  label: WaitLabel,
  until: number,
  format: Formats,
  // The gate adds up to a second to be safe, which must not be announced as one more.
  seconds = Math.max(1, Math.floor((until - Date.now()) / 1_000)),
  length: 'long' | 'short' = 'long',
  timeOf: 'when' | 'until' = 'when',
): string {
  const time = isLongWait(seconds) ? format[timeOf](until) : undefined
  return label(format.duration(seconds * 1_000, length), time, isAnotherDay(until))
}
