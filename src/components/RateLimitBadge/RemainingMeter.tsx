import type { ReactElement } from 'react'
import type { RateLimitBadgeLabels } from '../../labels/RateLimitBadgeLabels.ts'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import { classNames } from '../classNames.ts'
import type { RateLimitBadgeClassNames } from './RateLimitBadgeClassNames.ts'
import type { RateLimitText } from './rateLimitText.ts'

interface RemainingMeterProps {
  /** Shows a short text and no bar. */
  readonly compact: boolean
  readonly state: RateLimitState
  readonly text: RateLimitText
  readonly labels: RateLimitBadgeLabels
  readonly slots: RateLimitBadgeClassNames
}

/** How many requests are left: a meter, or only a text if the limit is unknown. Screen readers read only the value. */
export function RemainingMeter({ state, text, labels, slots, compact }: RemainingMeterProps): ReactElement {
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
