'use client'

import {
  type ComponentPropsWithoutRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type RefAttributes,
  useId,
  useRef,
} from 'react'
import { useRateLimit } from '../../hooks/useRateLimit.ts'
import type { RateLimitBadgeLabels } from '../../labels/RateLimitBadgeLabels.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { useLabels } from '../useLabels.ts'
import { RateLimitIcon } from './RateLimitIcon.tsx'
import { rateLimitText } from './rateLimitText.ts'
import { RemainingMeter } from './RemainingMeter.tsx'
import { useRateLimitAnnouncements } from './useRateLimitAnnouncements.ts'

/** Class names of the app's own for the inner parts. */
export interface RateLimitBadgeClassNames {
  /** Not in the compact badge. */
  readonly title?: string | undefined
  /** Not in the compact badge. */
  readonly state?: string | undefined
  readonly icon?: string | undefined
  /** How much is left. */
  readonly remaining?: string | undefined
  readonly time?: string | undefined
}

/** All that a `div` takes, and: */
export interface RateLimitBadgeProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** One short line. All the rest is still in its accessible name. Default `false`. */
  readonly compact?: boolean | undefined
  /** Other words than the provider's. */
  readonly labels?: Partial<RateLimitBadgeLabels> | undefined
  /** Further class names for the inner parts. */
  readonly classNames?: RateLimitBadgeClassNames | undefined
}

/**
 * How much is left of the API key's quota, and when the next request may leave. Spoken when the quota runs low, when
 * nothing may be sent any more, and when it may be again. Its state is in `data-status`, for styles of your own.
 */
export const RateLimitBadge: ForwardRefExoticComponent<RateLimitBadgeProps & RefAttributes<HTMLDivElement>> =
  forwardRef<HTMLDivElement, RateLimitBadgeProps>(function RateLimitBadge(props, ref) {
    const { compact = false, labels, className, classNames: slots = {}, ...rest } = props
    const { labels: provided, format } = useLabels('RateLimitBadge')
    const own = { ...provided.rateLimitBadge, ...labels }
    const state = useRateLimit()
    const { status, retryAt } = state
    const words = rateLimitText(state, own, format)
    const id = useId()
    const near = useRef<HTMLElement>(null)
    useRateLimitAnnouncements(near, state, own, format)

    const icon = <RateLimitIcon status={status} className={slots.icon} />
    const timeClass = classNames('petstore-rate-limit-badge-time', slots.time)
    const countdown = (text: (wait: string) => string, length?: 'short') =>
      retryAt !== undefined && (
        <Countdown until={retryAt} format={format} length={length}>
          {text}
        </Countdown>
      )
    const remaining = (text: string, hasBar: boolean) => (
      <RemainingMeter
        state={state}
        name={own.meter}
        valueText={words.remaining}
        hasBar={hasBar}
        className={classNames('petstore-rate-limit-badge-remaining', slots.remaining)}
      >
        {text}
      </RemainingMeter>
    )

    return (
      <div
        // A fieldset is for the parts of a form.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="group"
        aria-labelledby={rest['aria-label'] === undefined ? id : undefined}
        {...rest}
        ref={ref}
        data-status={status}
        className={classNames(
          `petstore-rate-limit-badge petstore-rate-limit-badge-${compact ? 'compact' : 'full'}`,
          className,
        )}
      >
        {compact ? (
          <>
            {icon}
            {retryAt === undefined ? (
              remaining(words.short, false)
            ) : (
              <span className={timeClass} aria-hidden="true">
                {countdown((wait) => wait, 'short')}
              </span>
            )}
            {/* The name of the group, and nothing to be read a second time. */}
            <span ref={near} id={id} hidden>
              {`${own.title}: ${words.state}. ${words.remaining && `${words.remaining}. `}`}
              {countdown((wait) => `${own.nextIn(wait)}. `)}
              {words.resetsAt}
            </span>
          </>
        ) : (
          <>
            <span ref={near} id={id} className={classNames('petstore-rate-limit-badge-title', slots.title)}>
              {own.title}
            </span>
            <span className={classNames('petstore-rate-limit-badge-state', slots.state)}>
              {icon}
              {words.state}
            </span>
            {words.remaining && remaining(words.remaining, true)}
            {retryAt !== undefined && <span className={timeClass}>{countdown(own.nextIn)}</span>}
            {words.resetsAt && <span className={timeClass}>{words.resetsAt}</span>}
          </>
        )}
      </div>
    )
  })
