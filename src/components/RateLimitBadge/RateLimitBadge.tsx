'use client'

import { type ComponentPropsWithoutRef, forwardRef, useId, useRef } from 'react'
import { useRateLimit } from '../../hooks/useRateLimit.ts'
import type { RateLimitBadgeLabels } from '../../labels/RateLimitBadgeLabels.ts'
import { classNames } from '../classNames.ts'
import { useLabels } from '../useLabels.ts'
import { CompactBadge } from './CompactBadge.tsx'
import { FullBadge } from './FullBadge.tsx'
import type { RateLimitBadgeClassNames } from './RateLimitBadgeClassNames.ts'
import { rateLimitText } from './rateLimitText.ts'
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
 * low, when requests have to wait, and when they can be sent again. `data-status` holds the state, for your own styles.
 */
export const RateLimitBadge = forwardRef<HTMLDivElement, RateLimitBadgeProps>(function RateLimitBadge(props, ref) {
  const { compact = false, labels: overrides, className, classNames: slots = {}, ...native } = props
  const { labels: provided, format } = useLabels()
  const labels = { ...provided.rateLimitBadge, ...overrides }
  const state = useRateLimit()
  const text = rateLimitText(state, labels, format)
  const id = useId()
  const nameRef = useRef<HTMLElement>(null)
  useRateLimitAnnouncements(nameRef, state, labels, format)

  const Content = compact ? CompactBadge : FullBadge
  return (
    <div
      // A fieldset groups the fields of a form; this is none.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-labelledby={native['aria-label'] === undefined ? id : undefined}
      {...native}
      ref={ref}
      data-status={state.status}
      className={classNames(
        `petstore-rate-limit-badge petstore-rate-limit-badge-${compact ? 'compact' : 'full'}`,
        className,
      )}
    >
      <Content {...{ state, text, labels, format, slots, nameRef, id }} />
    </div>
  )
})
