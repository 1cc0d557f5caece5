'use client'

import type { ReactElement } from 'react'
import { useSecondsUntil } from '../hooks/useSecondsUntil.ts'
import { type WaitLabel, waitText } from '../labels/waitText.ts'
import { useFormats } from './useLabels.ts'

/** What a `Countdown` counts to, and how it says it. */
export interface CountdownProps {
  /** The time to count down to, in epoch ms, such as the `until` of a `wait`. Without a time, nothing is rendered. */
  readonly until: number | undefined
  /**
   * Makes the text. `wait` is "12 seconds". For two minutes or more there is a `time`: "at 4:15 PM". If `isAnotherDay`,
   * the time is "tomorrow at 9:00 AM", and says enough without `wait`. Default: the wait alone.
   */
  readonly label?: WaitLabel | undefined
  /** "12 seconds" or "12 sec". Default `long`. */
  readonly length?: 'long' | 'short' | undefined
}

/**
 * A text that counts down to a time, such as the end of a query's `wait`, in the provider's language: "42 seconds". Only this
 * component re-renders each second. Once the time has passed it stays at "1 second": remove it then. Empty on a server and until
 * hydration. Keep it out of live regions, which would speak every tick.
 *
 * @throws Error if used outside `PetstoreProvider`
 * @example
 * ```tsx
 * import { Countdown, useCategories } from 'petstore-react'
 *
 * function Loading() {
 *   const { wait } = useCategories()
 *   return (
 *     <p>
 *       <Countdown until={wait?.until} label={(duration) => `Loads in ${duration}.`} />
 *     </p>
 *   )
 * }
 * ```
 */
export function Countdown({ until, label = onlyWait, length }: CountdownProps): ReactElement | null {
  const format = useFormats()
  const seconds = useSecondsUntil(until)
  // No time, or none that a `Date` can hold.
  if (until === undefined || !(Math.abs(until) <= 8.64e15)) return null
  // An element of its own: page translators replace text nodes, and React would go on writing into the old one.
  return <span>{seconds === undefined ? '' : waitText(label, until, format, seconds, length)}</span>
}

const onlyWait = (wait: string) => wait
