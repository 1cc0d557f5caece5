'use client'

import { type ComponentPropsWithoutRef, forwardRef, type ReactElement, useId, useRef } from 'react'
import { useRateLimit } from '../../hooks/useRateLimit.ts'
import type { RateLimitBadgeLabels } from '../../labels/RateLimitBadgeLabels.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../../hooks/useCountdown.tsx'
import { useLabels } from '../useLabels.ts'
import type { WaitLabel } from '../../labels/waitText.ts'
import type { RateLimitBadgeClassNames } from './RateLimitBadgeClassNames.ts'
import { RateLimitIcon } from './RateLimitIcon.tsx'
import { badgeStatus, rateLimitText } from './rateLimitText.ts'
import { RemainingMeter } from './RemainingMeter.tsx'
import { useRateLimitAnnouncements } from './useRateLimitAnnouncements.ts'

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
