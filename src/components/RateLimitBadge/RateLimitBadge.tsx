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
import { usePetstoreContext } from '../../hooks/PetstoreContext.ts'
import { useRateLimit } from '../../hooks/useRateLimit.ts'
import { useSecondsUntil } from '../../hooks/useSecondsUntil.ts'
import type { RateLimitBadgeLabels } from '../../labels/en.ts'
import { rateLimitBadge } from '../../labels/en/rateLimitBadge.ts'
import type { Formats } from '../../labels/formats.ts'
import { isLongWait, waitText } from '../../labels/waitText.ts'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import { announce, announceQuota, prepareRegion } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { checkCircle, clock, cloudOff, dots, gauge, Icon, key, pause, server, type Tone } from '../Icon.tsx'
import { type KeyState, useKeyState } from '../keyState.ts'
import { useLabels } from '../useLabels.ts'

/** Class names for the parts of the badge. */
export interface RateLimitBadgeClassNames {
  /** Not in the compact badge. */
  readonly title?: string | undefined
  /** Not in the compact badge. */
  readonly state?: string | undefined
  /** The icon of the state. */
  readonly icon?: string | undefined
  /** How many requests are left. */
  readonly remaining?: string | undefined
  /** When the state changes. */
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
export const RateLimitBadge = /* @__PURE__ */ forwardRef<HTMLDivElement, RateLimitBadgeProps>(
  function RateLimitBadge(props, ref) {
    const { compact = false, labels: overrides, classNames: slots = {}, ...native } = props
    const { labels: provided, format } = useLabels('rateLimitBadge', rateLimitBadge)
    const labels = { ...provided, ...overrides }
    const state = useRateLimit()
    const { hasApiKey } = usePetstoreContext().client
    // Who has no key in the page can do nothing about it.
    const isRejected = useKeyState(rejected) && hasApiKey
    const isAsking = useKeyState(asking)
    const waitingCount = useKeyState(waitingCalls)
    const { retryAt, resetAt } = state
    const status = badgeStatus(state, isRejected, isAsking)
    const text = rateLimitText(state, labels, format)
    const id = useId()
    const nameRef = useRef<HTMLElement>(null)
    useRateLimitAnnouncements(nameRef, state, labels, format)

    const icon = <RateLimitIcon status={status} className={slots.icon} />
    const timeClass = classNames('petstore-rate-limit-badge-time', slots.time)
    const words = <StateText {...{ status, retryAt, labels, format }} />
    const isPaused = status === 'cooling-down'
    const waiting = retryAt !== undefined && (isPaused || waitingCount > 0) && labels.waiting(waitingCount, format)
    // Before the next request no reset matters. A key that is rejected has no quota.
    const reset = retryAt !== undefined || isRejected ? undefined : resetAt
    const isLow = status === 'low'
    const resetsIn = (wait: string, time?: string) =>
      time === undefined ? labels.resetsIn(wait) : labels.resetsAt(time)
    const resets = reset !== undefined && (isLow ? <Countdown until={reset} label={resetsIn} /> : text.resetsAt)
    const nextIn = status === 'connection' || status === 'service' ? labels.retryingIn : labels.nextIn
    // The state has the time of a long wait, and each time is told once.
    const resumesIn = (wait: string, time?: string) =>
      time !== undefined && (status === 'exhausted' || isPaused) ? '' : nextIn(wait)
    const resumes = retryAt !== undefined && <Countdown until={retryAt} label={resumesIn} />
    const remaining = isRejected ? '' : text.remaining
    const hint = isRejected ? labels.waitsForKey : status === 'unknown' ? labels.waitsForResponse : ''
    const nameOf = (seconds?: number, left?: number) =>
      [
        `${labels.title}: ${stateWords(status, retryAt, seconds, labels, format)}.`,
        remaining && `${remaining}.`,
        hint,
        retryAt !== undefined && seconds !== undefined && waitText(resumesIn, retryAt, format, seconds),
        waiting,
        reset !== undefined && (left === undefined ? !isLow && text.resetsAt : waitText(resetsIn, reset, format, left)),
      ]
        .filter(Boolean)
        .join(' ')
    const meter = (
      <RemainingMeter {...{ compact, state, labels, format, slots }} text={compact ? text.short : remaining} />
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
              isRejected ? (
                <span className="petstore-rate-limit-badge-words">{words}</span>
              ) : (
                meter
              )
            ) : (
              <span className={timeClass} aria-hidden="true">
                <Countdown until={retryAt} length="short" />
              </span>
            )}
            {/* Hidden, since it only names the group: screen readers would otherwise read it a second time. */}
            <span ref={nameRef} id={id} hidden>
              <BadgeName {...{ retryAt, nameOf }} reset={isLow ? reset : undefined} />
            </span>
          </>
        ) : (
          <>
            <span ref={nameRef} id={id} className={classNames('petstore-rate-limit-badge-title', slots.title)}>
              {labels.title}
            </span>
            <span className={classNames('petstore-rate-limit-badge-state', slots.state)}>
              {icon}
              {status === 'idle' ? <span>–</span> : words}
            </span>
            {remaining ? (
              meter
            ) : (
              // The place of the meter, and what it waits for.
              <span className="petstore-rate-limit-badge-remaining">
                <span className="petstore-rate-limit-badge-bar" />
                <span className="petstore-rate-limit-badge-words">{status === 'idle' ? words : hint || resumes}</span>
              </span>
            )}
            {remaining && resumes && <span className={timeClass}>{resumes}</span>}
            {waiting && <span className={timeClass}>{waiting}</span>}
            {resets && <span className={timeClass}>{resets}</span>}
          </>
        )}
      </div>
    )
  },
)

interface RemainingMeterProps {
  /** Shows a short text and no bar. */
  readonly compact: boolean
  readonly state: RateLimitState
  /** How many are left, in words. */
  readonly text: string
  readonly labels: RateLimitBadgeLabels
  readonly format: Formats
  readonly slots: RateLimitBadgeClassNames
}

/** How many requests are left: a meter, or only a text if the limit is unknown. Screen readers read only the value. */
function RemainingMeter({ state, text, labels, format, slots, compact }: RemainingMeterProps): ReactElement {
  const { limit, remaining } = state
  const className = classNames('petstore-rate-limit-badge-remaining', slots.remaining)
  const visible = <span className="petstore-rate-limit-badge-words">{text}</span>
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
      aria-valuetext={labels.remaining(remaining, limit, format)}
      className={className}
    >
      {!compact && (
        <span className="petstore-rate-limit-badge-bar">
          {/* Never in HTML from a server, where the quota is unknown: a strict CSP would refuse the style attribute. */}
          <span
            className="petstore-rate-limit-badge-fill"
            data-low={remaining <= limit / 5 || undefined}
            style={{ inlineSize: `${(remaining / limit) * 100}%` }}
          />
        </span>
      )}
      {visible}
    </span>
  )
}

const rejected = ({ isRejected }: KeyState) => isRejected
const asking = ({ isAsking }: KeyState) => isAsking
const waitingCalls = ({ waiting }: KeyState) => waiting

interface StateTextProps {
  readonly status: BadgeStatus
  readonly retryAt: number | undefined
  readonly labels: RateLimitBadgeLabels
  readonly format: Formats
}

/** The state in words, with the time of a long wait. */
function StateText({ status, retryAt, labels, format }: StateTextProps): ReactElement {
  const seconds = useSecondsUntil(retryAt)
  return <span>{stateWords(status, retryAt, seconds, labels, format)}</span>
}

interface BadgeNameProps {
  readonly retryAt: number | undefined
  readonly reset: number | undefined
  /** Makes the text from the seconds until either. */
  readonly nameOf: (seconds?: number, left?: number) => string
}

/** All that the badge knows, in one text: parts that come and go between texts would get lost in a translated page. */
function BadgeName({ retryAt, reset, nameOf }: BadgeNameProps): ReactElement {
  const seconds = useSecondsUntil(retryAt)
  return <span>{nameOf(seconds, useSecondsUntil(reset))}</span>
}

function stateWords(
  status: BadgeStatus,
  retryAt: number | undefined,
  seconds: number | undefined,
  labels: RateLimitBadgeLabels,
  format: Formats,
): string {
  if (retryAt !== undefined && seconds !== undefined && isLongWait(seconds)) {
    if (status === 'exhausted') return labels.exhaustedUntil(format.until(retryAt))
    if (status === 'cooling-down') return labels.pausedUntil(format.until(retryAt))
  }
  return labels[status === 'cooling-down' ? 'coolingDown' : status]
}

/** Each status has its own shape, so that color is not the only difference. A dash stands for itself. */
const icons: Readonly<Record<BadgeStatus, readonly [icon: string, tone?: Tone]>> = {
  idle: [''],
  unknown: [dots],
  ok: [checkCircle, 'success'],
  low: [gauge, 'warning'],
  exhausted: [clock, 'warning'],
  'cooling-down': [pause, 'warning'],
  connection: [cloudOff, 'warning'],
  service: [server, 'warning'],
  rejected: [key, 'danger'],
}

interface RateLimitIconProps {
  readonly status: BadgeStatus
  readonly className: string | undefined
}

function RateLimitIcon({ status, className }: RateLimitIconProps): ReactElement | null {
  const [path, tone] = icons[status]
  if (path === '') return null
  return <Icon path={path} tone={tone} className={classNames('petstore-rate-limit-badge-icon', className)} />
}

type Status = RateLimitState['status']

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
    if (!(isChange || isLow)) return
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
  const left = retryAt === undefined ? undefined : Math.max(1, Math.floor((retryAt - Date.now()) / 1_000))
  const words = stateWords(badgeStatus(state), retryAt, left, labels, format)
  const news =
    retryAt === undefined
      ? rateLimitText(state, labels, format).remaining
      : waitText((wait, time) => (time === undefined ? labels.nextIn(wait) : ''), retryAt, format, left)
  return `${labels.title}: ${words}.${news && ` ${news}.`}`
}

/** The text of the badge: how much is left, or that requests fail or the key is refused, which has nothing to do with the quota. */
type BadgeStatus = RateLimitState['status'] | 'connection' | 'service' | 'rejected' | 'idle'

function badgeStatus({ status, waitReason }: RateLimitState, isRejected = false, isAsking = true): BadgeStatus {
  if (isRejected) return 'rejected'
  if (status === 'unknown' && !isAsking) return 'idle'
  return waitReason === 'connection' || waitReason === 'service' ? waitReason : status
}

interface RateLimitText {
  readonly remaining: string
  readonly short: string
  readonly resetsAt: string
}

/** The texts of the badge. A text is empty if its value is unknown. */
function rateLimitText(rateLimit: RateLimitState, labels: RateLimitBadgeLabels, format: Formats): RateLimitText {
  const { limit, remaining, resetAt } = rateLimit
  const resetsAt = resetAt === undefined ? '' : labels.resetsAt(format.when(resetAt))
  if (remaining === undefined) return { resetsAt, remaining: '', short: '–' }
  if (limit === undefined) {
    return { resetsAt, remaining: labels.remainingOnly(remaining, format), short: format.number(remaining) }
  }
  return {
    resetsAt,
    remaining: labels.remaining(remaining, limit, format),
    short: labels.remainingShort(remaining, limit, format),
  }
}
