import { type RefObject, useEffect, useRef } from 'react'
import type { Formats } from '../../labels/formats.ts'
import type { RateLimitBadgeLabels } from '../../labels/RateLimitBadgeLabels.ts'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import { announce, announceQuota, prepareRegion } from '../announce.ts'
import { waitText } from '../../labels/waitText.ts'
import { badgeStatus, rateLimitText } from './rateLimitText.ts'

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
    // Nothing to do with the quota, and whoever waits for it says so.
    if (badgeStatus(state) !== state.status) return
    const before = previousStatus.current ?? state.status
    previousStatus.current = state.status
    const isChange = isLimited(before) !== isLimited(state.status)
    const isLow = before === 'ok' && state.status === 'low'
    if (!(isChange || isLow) || announcedStates.has(state)) return
    announcedStates.add(state)
    const isOver = isChange && !isLimited(state.status)
    const text = () => (isOver ? labels.restored : stateText(state, labels, format))
    if (isLow) announce(text(), near.current)
    else announceQuota(text, near.current)
  }, [near, state, labels, format])
}

const isLimited = (status: Status) => status === 'exhausted' || status === 'cooling-down'

/** The state, and either when requests can leave again or how many are left. */
function stateText(state: RateLimitState, labels: RateLimitBadgeLabels, format: Formats): string {
  const { retryAt } = state
  const text = rateLimitText(state, labels, format)
  const news = retryAt === undefined ? text.remaining : waitText(labels.nextIn, retryAt, format)
  return `${labels.title}: ${text.state}. ${news}.`
}
