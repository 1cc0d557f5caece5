import { type RefObject, useEffect, useRef } from 'react'
import type { Formats } from '../../labels/formats.ts'
import type { RateLimitBadgeLabels } from '../../labels/RateLimitBadgeLabels.ts'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import { announce, prepareRegion } from '../announce.ts'
import { rateLimitText } from './rateLimitText.ts'

type Status = RateLimitState['status']

/** Several badges may show the same state: it is spoken once. */
const spoken = new WeakSet<RateLimitState>()

/** Speaks of the transitions that change what people can do, and of nothing else. */
export function useRateLimitAnnouncements(
  near: RefObject<Element | null>,
  state: RateLimitState,
  labels: RateLimitBadgeLabels,
  format: Formats,
): void {
  const previous = useRef<Status>(undefined)

  useEffect(() => {
    prepareRegion(near.current)
  }, [near])

  useEffect(() => {
    const before = previous.current ?? state.status
    previous.current = state.status
    const message = messageFor(before, state, labels, format)
    if (message === undefined || spoken.has(state)) return
    spoken.add(state)
    announce(message, near.current)
  }, [near, state, labels, format])
}

const isLimited = (status: Status) => status === 'exhausted' || status === 'cooling-down'

function messageFor(
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
  const words = rateLimitText(state, labels, format)
  return `${labels.title}: ${words.state}. ${words.remaining}.`
}
