import { type RefObject, useEffect, useRef } from 'react'
import type { Formats } from '../../labels/formats.ts'
import type { RateLimitBadgeLabels } from '../../labels/RateLimitBadgeLabels.ts'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import { announce, prepareRegion } from '../announce.ts'
import { rateLimitText } from './rateLimitText.ts'

type Status = RateLimitState['status']

/** Several badges may show the same state. Only the first one announces it. */
const announcedStates = new WeakSet<RateLimitState>()

/** Announces only the transitions that change what people can do. */
export function useRateLimitAnnouncements(
  near: RefObject<Element | null>,
  state: RateLimitState,
  labels: RateLimitBadgeLabels,
  format: Formats,
): void {
  const previousStatus = useRef<Status>(undefined)

  useEffect(() => {
    prepareRegion(near.current)
  }, [near])

  useEffect(() => {
    const before = previousStatus.current ?? state.status
    previousStatus.current = state.status
    const text = transitionText(before, state, labels, format)
    if (text === undefined || announcedStates.has(state)) return
    announcedStates.add(state)
    announce(text, near.current)
  }, [near, state, labels, format])
}

const isLimited = (status: Status) => status === 'exhausted' || status === 'cooling-down'

function transitionText(
  before: Status,
  state: RateLimitState,
  labels: RateLimitBadgeLabels,
  format: Formats,
): string | undefined {
  const { status, retryAt } = state
  if (isLimited(before) !== isLimited(status)) {
    if (!isLimited(status)) return labels.restored
    const wait = retryAt === undefined ? '' : ` ${labels.nextIn(format.duration(retryAt - Date.now()))}.`
    return `${labels.title}: ${rateLimitText(state, labels, format).state}.${wait}`
  }
  if (before !== 'ok' || status !== 'low') return undefined
  const text = rateLimitText(state, labels, format)
  return `${labels.title}: ${text.state}. ${text.remaining}.`
}
