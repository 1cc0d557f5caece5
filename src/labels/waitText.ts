import type { CallWait, WaitReason } from '../rate-limit/pendingRequest.ts'
import { type Formats, isAnotherDay } from './formats.ts'

/** A label with a wait, such as "12 seconds". From two minutes on, `time` is its end, such as "at 4:15 PM". */
export type WaitLabel = (wait: string, time?: string, isAnotherDay?: boolean) => string

/** A label with a wait that also depends on the reason of the wait, and on whether it may take longer. */
export type WaitSentence = (wait: string, time?: string, reason?: WaitReason, isEarliest?: boolean) => string

/** Puts the reason of the wait, a sentence of its own, before `sentence`. */
export const withReason =
  (reasons: Readonly<Record<WaitReason, string>>, sentence: WaitSentence, space = ' '): WaitSentence =>
  (wait, time, reason = 'rate-limit', isEarliest = false) =>
    reasons[reason] + space + sentence(wait, time, reason, isEarliest)

/** Makes a label for one wait: `sentence` with the `reason` and `isEarliest` of that wait. */
export const labelOfWait =
  (sentence: WaitSentence, { reason, isEarliest }: Pick<CallWait, 'reason' | 'isEarliest'>): WaitLabel =>
  (wait, time) =>
    sentence(wait, time, reason, isEarliest)

/** Whether a wait is so long that people want the time at which it ends, and not only a countdown. */
export const isLongWait = (seconds: number): boolean => seconds >= 120

/** Rounded down: the gate ends a wait up to a second late, to be safe, and nobody should hear of that second. */
export const secondsUntil = (until: number): number => Math.max(1, Math.floor((until - Date.now()) / 1_000))

/** The text about a wait until a time (epoch ms), the same for the screen and for announcements. `timeOf` formats the time. */
export function waitText(
  label: WaitLabel,
  until: number,
  format: Formats,
  seconds = secondsUntil(until),
  length: 'long' | 'short' = 'long',
  timeOf: 'when' | 'until' = 'when',
): string {
  const time = isLongWait(seconds) ? unbroken(format[timeOf](until)) : undefined
  // At least one second: "in 0 seconds" would say that it has happened.
  return label(format.duration(Math.max(1, seconds) * 1_000, length), time, isAnotherDay(until))
}

/** Keeps the two halves of "4:15 PM" in one line. */
export const unbroken = (time: string): string => time.replace(/ (?=\S+$)/, '\u00a0')
