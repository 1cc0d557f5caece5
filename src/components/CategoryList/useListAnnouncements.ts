import { type RefObject, useEffect, useRef } from 'react'
import { announce, prepareRegion } from '../announce.ts'

interface Happenings {
  readonly section: RefObject<HTMLElement | null>
  /** What the rows are filtered by. */
  readonly asked: string
  /** What came of that, in words. */
  readonly found: string
  readonly isRefreshing: boolean
  /** Said when a refresh has ended; `undefined` when it has failed, which is told elsewhere. */
  readonly refreshed: string | undefined
  /** Until when the rate limit holds back what a person waits for, in epoch ms. */
  readonly heldUntil: number | undefined
  readonly waiting: (milliseconds: number) => string
}

/** How long typing has to pause before the number of matches is spoken, in ms. */
const typingPause = 600

/** Lets screen readers say what changes without the focus: each change once, nothing while it lasts. */
export function useListAnnouncements(happenings: Happenings): void {
  const { section, asked, found, isRefreshing, refreshed, heldUntil } = happenings
  const isHeld = heldUntil !== undefined
  const last = useRef({ asked, isRefreshing, isHeld })

  useEffect(() => {
    prepareRegion(section.current)
  }, [section])

  useEffect(() => {
    if (last.current.asked === asked) return undefined
    const timer = setTimeout(() => {
      last.current.asked = asked
      announce(found, section.current)
    }, typingPause)
    return () => clearTimeout(timer)
  }, [section, asked, found])

  useEffect(() => {
    const { isRefreshing: wasRefreshing, isHeld: wasHeld } = last.current
    last.current.isRefreshing = isRefreshing
    last.current.isHeld = isHeld
    if (wasRefreshing && !isRefreshing && refreshed !== undefined) announce(refreshed, section.current)
    if (isHeld && !wasHeld) announce(happenings.waiting(heldUntil - Date.now()), section.current)
  })
}
