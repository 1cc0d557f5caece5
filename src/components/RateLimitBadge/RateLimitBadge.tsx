'use client'

import {
  type ComponentPropsWithoutRef,
  forwardRef,
  type ReactElement,
  type RefObject,
  useEffect,
  useId,
  useRef,
} from 'react'
import { Countdown } from '../../hooks/useCountdown.tsx'
import { useRateLimit } from '../../hooks/useRateLimit.ts'
import type { RateLimitBadgeLabels } from '../../labels/en.ts'
import type { Formats } from '../../labels/formats.ts'
import { type WaitLabel, waitText } from '../../labels/waitText.ts'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import { announce, announceQuota, prepareRegion } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { checkCircle, cloudOff, dots, Icon, minus, pause, server, warning } from '../Icon.tsx'
import { useLabels } from '../useLabels.ts'

/** Class names for the parts of the badge. */
export interface RateLimitBadgeClassNames {
  /** Not in the compact badge. */
  readonly title?: string | undefined
  /** Not in the compact badge. */
  readonly state?: string | undefined
  readonly icon?: string | undefined
  /** How many requests are left. */
  readonly remaining?: string | undefined
  readonly time?: string | undefined
}

/** The props of a `div`, and: */
export interface RateLimitBadgeProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Shows one short line. The accessible name still contains everything. Default `false`. */
  readonly compact?: boolean | undefined
  /** Overrides the provider's labels. */
  readonly labels?: Partial<RateLimitBadgeLabels> | undefined
  /** Class names for the parts of the badge. */
  readonly classNames?: RateLimitBadgeClassNames | undefined
}

/**
 * Shows how much is left of the API key's quota, and when the next request can be sent. Announced when the quota runs
 * low, when requests have to wait, and when they can be sent again. While requests fail for
 * another reason, it says that the service can't be reached or has a problem. `data-status` holds the state, for your own
 * styles.
 */
export const RateLimitBadge = forwardRef<HTMLDivElement, RateLimitBadgeProps>(function RateLimitBadge(props, ref) {
  const { compact = false, labels: overrides, classNames: slots = {}, ...native } = props
  const { labels: provided, format } = useLabels()
  const labels = { ...provided.rateLimitBadge, ...overrides }
  const state = useRateLimit()
  const { retryAt, resetAt } = state
  const status = badgeStatus(state)
  const text = rateLimitText(state, labels, format)
  const id = useId()
  const nameRef = useRef<HTMLElement>(null)
  useRateLimitAnnouncements(nameRef, state, labels, format)

  const icon = <RateLimitIcon status={status} className={slots.icon} />
  const meter = <RemainingMeter {...{ compact, state, text, labels, slots }} />
  const timeClass = classNames('petstore-rate-limit-badge-time', slots.time)
  const isOutage = status === 'connection' || status === 'service'
  const openingIn = isOutage ? labels.retryingIn : labels.nextIn
  // The time of the reset stands below.
  const nextIn = isOutage || resetAt === undefined ? openingIn : (wait: string) => openingIn(wait)
  const countdown = (children: WaitLabel, length?: 'short') =>
    retryAt !== undefined && (
      <Countdown until={retryAt} format={format} length={length}>
        {children}
      </Countdown>
    )

  return (
    <div
      // A fieldset groups the fields of a form; this is none.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-labelledby={native['aria-label'] === undefined ? id : undefined}
      {...native}
      ref={ref}
      data-status={status}
      className={classNames(
        `petstore-rate-limit-badge petstore-rate-limit-badge-${compact ? 'compact' : 'full'}`,
        native.className,
      )}
    >
      {compact ? (
        <>
          {icon}
          {retryAt === undefined ? (
            meter
          ) : (
            <span className={timeClass} aria-hidden="true">
              {countdown((wait) => wait, 'short')}
            </span>
          )}
          {/* Hidden, since it only names the group: screen readers would otherwise read it a second time. */}
          <span ref={nameRef} id={id} hidden>
            {`${labels.title}: ${text.state}${text.state.endsWith('…') ? ' ' : '. '}${text.remaining && `${text.remaining}. `}`}
            {countdown((wait, time) => `${nextIn(wait, time)}. `)}
            {text.resetsAt}
          </span>
        </>
      ) : (
        <>
          <span ref={nameRef} id={id} className={classNames('petstore-rate-limit-badge-title', slots.title)}>
            {labels.title}
          </span>
          <span className={classNames('petstore-rate-limit-badge-state', slots.state)}>
            {icon}
            {text.state}
          </span>
          {text.remaining ? meter : <EmptyBar />}
          {retryAt !== undefined && <span className={timeClass}>{countdown(nextIn)}</span>}
          {text.resetsAt && <span className={timeClass}>{text.resetsAt}</span>}
        </>
      )}
    </div>
  )
})

/** The place of the meter, as long as nobody knows how much is left. */
function EmptyBar(): ReactElement {
  return (
    <span className="petstore-rate-limit-badge-remaining" aria-hidden="true">
      <span className="petstore-rate-limit-badge-bar" />
    </span>
  )
}

interface RemainingMeterProps {
  /** Shows a short text and no bar. */
  readonly compact: boolean
  readonly state: RateLimitState
  readonly text: RateLimitText
  readonly labels: RateLimitBadgeLabels
  readonly slots: RateLimitBadgeClassNames
}

/** How many requests are left: a meter, or only a text if the limit is unknown. Screen readers read only the value. */
function RemainingMeter({ state, text, labels, slots, compact }: RemainingMeterProps): ReactElement {
  const { limit, remaining } = state
  const className = classNames('petstore-rate-limit-badge-remaining', slots.remaining)
  const visible = <span className="petstore-rate-limit-badge-words">{compact ? text.short : text.remaining}</span>
  if (limit === undefined || remaining === undefined) return <span className={className}>{visible}</span>
  return (
    <span
      // The native meter looks different in every browser and cannot show its text.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="meter"
      aria-label={labels.meter}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={remaining}
      aria-valuetext={text.remaining}
      className={className}
    >
      {!compact && (
        <span className="petstore-rate-limit-badge-bar">
          {/* Never in HTML from a server, where the quota is unknown: a strict CSP would refuse the style attribute. */}
          <span className="petstore-rate-limit-badge-fill" style={{ inlineSize: `${(remaining / limit) * 100}%` }} />
        </span>
      )}
      {visible}
    </span>
  )
}

/** Each status has its own shape, so that color is not the only difference. */
const icons = {
  unknown: dots,
  ok: checkCircle,
  low: warning,
  exhausted: minus,
  'cooling-down': pause,
  connection: cloudOff,
  service: server,
} satisfies Readonly<Record<BadgeStatus, string>>

interface RateLimitIconProps {
  readonly status: BadgeStatus
  readonly className: string | undefined
}

function RateLimitIcon({ status, className }: RateLimitIconProps): ReactElement {
  return <Icon path={icons[status]} className={classNames('petstore-rate-limit-badge-icon', className)} />
}

type Status = RateLimitState['status']

/** Several badges may show the same state. Only the first one announces it. */
const announcedStates = new WeakSet<RateLimitState>()

/** Announces only the transitions that change what people can do. */
function useRateLimitAnnouncements(
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

/** What the badge says: how much is left, or that requests fail, which has nothing to do with the quota. */
type BadgeStatus = RateLimitState['status'] | 'connection' | 'service'

function badgeStatus({ status, waitReason }: RateLimitState): BadgeStatus {
  return waitReason === 'connection' || waitReason === 'service' ? waitReason : status
}

interface RateLimitText {
  readonly state: string
  readonly remaining: string
  readonly short: string
  readonly resetsAt: string
}

/** The texts of the badge. A text is empty if its value is unknown. */
function rateLimitText(rateLimit: RateLimitState, labels: RateLimitBadgeLabels, format: Formats): RateLimitText {
  const { limit, remaining, resetAt } = rateLimit
  const status = badgeStatus(rateLimit)
  const state = labels[status === 'cooling-down' ? 'coolingDown' : status]
  const resetsAt = resetAt === undefined ? '' : labels.resetsAt(format.when(resetAt))
  if (remaining === undefined) return { state, resetsAt, remaining: '', short: '–' }
  if (limit === undefined) {
    return { state, resetsAt, remaining: labels.remainingOnly(remaining, format), short: format.number(remaining) }
  }
  return {
    state,
    resetsAt,
    remaining: labels.remaining(remaining, limit, format),
    short: labels.remainingShort(remaining, limit, format),
  }
}
