'use client'

import { type ReactElement, type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { type Formats, formatsFor } from '../labels/formats.ts'
import { type WaitLabel, waitText } from '../labels/waitText.ts'
import { usePetstoreContext } from './PetstoreContext.ts'

/**
 * Returns a text that counts down to a time, such as the end of a query's `wait`, in the provider's language: "42 seconds".
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
 *   const { wait } = useCategories()
 *   return <p>{useCountdown(wait?.until, (time) => `Loads in ${time}.`)}</p>
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

interface CountdownProps {
  /** Epoch ms. */
  readonly until: number
  readonly format: Formats
  /** Default `long`: "12 seconds". */
  readonly length?: 'long' | 'short' | undefined
  /** Makes the text. */
  readonly children: WaitLabel
}

/** A countdown in words. Only this component renders each second. Keep it out of live regions: they would speak every tick. */
export function Countdown({ until, format, length, children }: CountdownProps): ReactNode {
  const seconds = useSecondsUntil(until)
  return seconds === undefined ? null : waitText(children, until, format, seconds, length)
}

/**
 * Whole seconds until a deadline (epoch ms), 0 once it has passed; `undefined` without a deadline and on a server.
 * Re-renders its component once a second, so call it in a small one.
 */
export function useSecondsUntil(deadline: number | undefined): number | undefined {
  const countdown = useMemo(() => (deadline === undefined ? undefined : createCountdown(deadline)), [deadline])
  return useSyncExternalStore(countdown?.subscribe ?? neverChanges, countdown?.getSnapshot ?? nothing, nothing)
}

const nothing = () => undefined
const neverChanges = () => nothing

function createCountdown(deadline: number) {
  // Reads the clock each time: timers are late in background tabs and stop while the machine sleeps.
  const timeLeft = () => Math.max(0, deadline - Date.now())
  let seconds: number | undefined
  return {
    // Not before React asks: a server never does, and a prerender must not read the clock.
    getSnapshot: () => (seconds ??= Math.ceil(timeLeft() / 1_000)),
    subscribe: (onChange: () => void) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const tick = () => {
        const left = timeLeft()
        seconds = Math.ceil(left / 1_000)
        // At the start of the next second, so that no second is skipped.
        if (left > 0) timer = setTimeout(tick, left % 1_000 || 1_000)
        onChange()
      }
      tick()
      return () => clearTimeout(timer)
    },
  }
}
