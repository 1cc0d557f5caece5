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

/** The sentence after another one, which says why it waits. */
export const withReason =
  (reasons: Readonly<Record<WaitReason, string>>, sentence: WaitSentence, space = ' '): WaitSentence =>
  (wait, time, reason = 'rate-limit', isEarliest = false) =>
    reasons[reason] + space + sentence(wait, time, reason, isEarliest)

/** The label of one wait. */
export const labelOfWait =
  (
    sentence: WaitSentence,
    { reason, isEarliest }: { readonly reason: WaitReason; readonly isEarliest: boolean },
  ): WaitLabel =>
  (wait, time) =>
    sentence(wait, time, reason, isEarliest)

/** From this wait on, in seconds, people look at a clock instead of a countdown. */
const clockWait = 120

/** @param seconds - of the wait */
export const isLongWait = (seconds: number): boolean => seconds >= clockWait

/** The gate adds up to a second to be safe, which must not be announced as one more. */
export const secondsUntil = (until: number): number => Math.max(1, Math.floor((until - Date.now()) / 1_000))

/**
 * The text about a wait, the same for the screen and for announcements.
 *
 * @param until - epoch ms
 */
export function waitText(
  label: WaitLabel,
  until: number,
  format: Formats,
  seconds = secondsUntil(until),
  length: 'long' | 'short' = 'long',
  timeOf: 'when' | 'until' = 'when',
): string {
  const time = isLongWait(seconds) ? unbroken(format[timeOf](until)) : undefined
  // What is about to happen is not said to have happened.
  return label(format.duration(Math.max(1, seconds) * 1_000, length), time, isAnotherDay(until))
}

/** Keeps "4:15 PM" together where a line ends. */
export const unbroken = (time: string): string => time.replace(/ (?=\S+$)/, '\u00a0')
