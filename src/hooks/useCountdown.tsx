'use client'

import type { ReactElement } from 'react'
import { formatsFor } from '../labels/formats.ts'
import { Countdown } from './Countdown.tsx'
import { usePetstoreContext } from './PetstoreContext.ts'

/**
 * Returns a text that counts down to a time, such as the `retryAt` of a query, in the provider's language: "42 seconds".
 * It ticks by itself: the component that calls this hook does not render again. Keep it out of live regions, which
 * would speak every tick.
 *
 * @param until - epoch ms; `undefined` returns `null`
 * @param label - makes the text of the wait; of two minutes or more, `time` is the end of the wait, such as "at 4:15 PM"
 * @throws Error if used outside `PetstoreProvider`
 * @example
 * ```tsx
 * import { useCategories, useCountdown } from 'petstore-react'
 *
 * function Loading() {
 *   const { retryAt } = useCategories()
 *   return <p>{useCountdown(retryAt, (wait) => `Loads in ${wait}.`)}</p>
 * }
 * ```
 */
export function useCountdown(
  until: number | undefined,
  label: (wait: string, time?: string) => string = (wait) => wait,
): ReactElement | null {
  const { labels, locale = labels?.locale ?? 'en' } = usePetstoreContext()
  if (until === undefined) return null
  return (
    <Countdown until={until} format={formatsFor(locale)}>
      {label}
    </Countdown>
  )
}
