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
import { secondsUntil } from '../../labels/waitText.ts'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import { announce, announceQuota, prepareRegion } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { checkCircle, clock, cloudOff, dash, gauge, Icon, key, pause, type Tone } from '../Icon.tsx'
import { useKeyState } from '../keyState.ts'
import { useLabels } from '../useLabels.ts'
import { badgeStatus, type BadgeStatus, type BadgeText, badgeText, shortText } from './badgeText.ts'

/** Class names for the parts of the badge. */
export interface RateLimitBadgeClassNames {
  /** The name of the badge. Not in the compact badge. */
  readonly title?: string | undefined
  /** The state in a word, and its icon. Not in the compact badge. */
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
 * low, when requests have to wait, and when they can be sent again. While requests fail without a response, it says
 * that the service can't be reached. `data-status` holds the state, for your own styles.
 */
export const RateLimitBadge = /* @__PURE__ */ forwardRef<HTMLDivElement, RateLimitBadgeProps>(
  function RateLimitBadge(props, ref) {
    const { compact = false, labels: overrides, classNames: slots = {}, ...native } = props
    const { labels, format } = useLabels('rateLimitBadge', rateLimitBadge, overrides)
    const rateLimit = useRateLimit()
    const { hasApiKey } = usePetstoreContext().client
    // Where the page has no API key, people can do nothing about a rejected one.
    const keyState = useKeyState((state) => state)
    const isRejected = keyState.isRejected && hasApiKey
    const { retryAt } = rateLimit
    const status = badgeStatus(rateLimit, { ...keyState, isRejected })
    const seconds = useSecondsUntil(retryAt ?? (status === 'low' ? rateLimit.resetAt : undefined))
    const text = badgeText(rateLimit, { status, waiting: keyState.waiting }, seconds, labels, format)
    const { time } = text
    const id = useId()
    const nameRef = useRef<HTMLElement>(null)
    useRateLimitAnnouncements(nameRef, rateLimit, status, labels, format)

    const [path, tone] = icons[status]
    const icon = <Icon path={path} tone={tone} className={slots.icon} />
    const remainingClass = classNames('petstore-rate-limit-badge-remaining', slots.remaining)

    return (
      <div
        // A fieldset groups the fields of a form; this is not one.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="group"
        aria-labelledby={native['aria-label'] === undefined ? id : undefined}
        {...native}
        ref={ref}
        data-status={status}
        className={classNames(
          `petstore-root petstore-rate-limit-badge petstore-rate-limit-badge-${compact ? 'compact' : 'full'}`,
          native.className,
        )}
      >
        {compact ? (
          <>
            {icon}
            {retryAt !== undefined ? (
              <span className={classNames('petstore-rate-limit-badge-words', slots.time)} aria-hidden="true">
                <Countdown until={retryAt} length="short" />
              </span>
            ) : isRejected ? (
              <span className="petstore-rate-limit-badge-words">{text.state}</span>
            ) : (
              <RemainingMeter className={remainingClass} {...{ rateLimit, labels, format }}>
                {shortText(rateLimit, format)}
              </RemainingMeter>
            )}
            {/* Hidden, since it only names the group: screen readers would otherwise read it a second time. */}
            <span ref={nameRef} id={id} hidden>
              {nameOf(text, labels)}
            </span>
          </>
        ) : (
          <>
            <span ref={nameRef} id={id} className={classNames('petstore-rate-limit-badge-title', slots.title)}>
              {labels.title}
            </span>
            {text.waiting && <span className="petstore-hint">{text.waiting}</span>}
            <span className={classNames('petstore-state petstore-rate-limit-badge-state', slots.state)}>
              {icon}
              <span>{text.state}</span>
            </span>
            {text.remaining ? (
              <RemainingMeter hasBar className={remainingClass} {...{ rateLimit, labels, format }}>
                {text.remaining}
              </RemainingMeter>
            ) : (
              <span className="petstore-rate-limit-badge-bar" />
            )}
            {time && (
              <span className={classNames('petstore-hint petstore-rate-limit-badge-time', slots.time)}>{time}</span>
            )}
          </>
        )}
      </div>
    )
  },
)

interface RemainingMeterProps {
  readonly hasBar?: boolean
  readonly rateLimit: RateLimitState
  readonly labels: RateLimitBadgeLabels
  readonly format: Formats
  readonly className: string
  readonly children: string
}

/** How many requests are left: a meter, or only a text if the limit is unknown. Screen readers read only the value. */
function RemainingMeter(props: RemainingMeterProps): ReactElement {
  const { rateLimit, labels, format, hasBar, className, children } = props
  const { limit, remaining } = rateLimit
  const words = <span className={`${hasBar ? 'petstore-hint ' : ''}petstore-rate-limit-badge-words`}>{children}</span>
  if (limit === undefined || remaining === undefined) return <span className={className}>{words}</span>
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
      {hasBar && (
        <span className="petstore-rate-limit-badge-bar">
          {/* Never in HTML from a server, where the quota is unknown: a strict CSP would refuse the style attribute. */}
          <span
            className="petstore-rate-limit-badge-fill"
            data-low={remaining <= limit / 5 || undefined}
            style={{ inlineSize: `${(remaining / limit) * 100}%` }}
          />
        </span>
      )}
      {words}
    </span>
  )
}

/** All that the badge knows, in one text node: page translators replace text nodes, and React would lose the parts. */
function nameOf({ state, remaining, time, waiting }: BadgeText, { title }: RateLimitBadgeLabels): string {
  return [`${title}: ${state}.`, remaining && `${remaining}.`, time, waiting].filter(Boolean).join(' ')
}

/** Each status has its own shape, so that color is not the only difference; without an icon, a spinner. */
const icons: Readonly<Record<BadgeStatus, readonly [icon?: string, tone?: Tone]>> = {
  idle: [dash],
  unknown: [],
  ok: [checkCircle, 'success'],
  low: [gauge, 'warning'],
  exhausted: [clock, 'warning'],
  'cooling-down': [pause, 'warning'],
  connection: [cloudOff, 'warning'],
  rejected: [key, 'danger'],
}

type Status = RateLimitState['status']

/** Announces only the transitions that change what people can do. */
function useRateLimitAnnouncements(
  nameRef: RefObject<Element | null>,
  state: RateLimitState,
  shownStatus: BadgeStatus,
  labels: RateLimitBadgeLabels,
  format: Formats,
): void {
  const previousStatus = useRef<Status>(undefined)

  useEffect(() => void prepareRegion(nameRef.current), [nameRef])

  useEffect(() => {
    // Such a wait has nothing to do with the quota, and the component that waits announces it.
    if (state.waitReason === 'connection') return
    const before = previousStatus.current ?? state.status
    previousStatus.current = state.status
    /** The state, and either when requests can leave again or how many are left. */
    const text = () => {
      const seconds = state.retryAt && secondsUntil(state.retryAt)
      // Of the quota, even if the badge shows a rejected key. A pause until another day is `exhausted`, as in the badge.
      const status = shownStatus === 'exhausted' ? shownStatus : state.status
      const texts = badgeText(state, { status, waiting: 0 }, seconds, labels, format)
      const detail = state.retryAt === undefined ? texts.remaining : texts.time
      return `${labels.title}: ${texts.state}.${detail && ` ${detail}.`}`
    }
    if (before === 'ok' && state.status === 'low') announce(text(), nameRef.current)
    if (isLimited(before) === isLimited(state.status)) return
    announceQuota(isLimited(state.status) ? text : () => labels.restored, nameRef.current)
  }, [nameRef, state, shownStatus, labels, format])
}

const isLimited = (status: Status) => status === 'exhausted' || status === 'cooling-down'
