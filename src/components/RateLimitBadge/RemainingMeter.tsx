import type { ReactElement } from 'react'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'

interface RemainingMeterProps {
  readonly state: RateLimitState
  readonly name: string
  /** The value in words. */
  readonly valueText: string
  readonly hasBar: boolean
  readonly className: string
  /** What is seen of it. */
  readonly children: string
}

/** How much is left: a meter, unless it is not known of how much. What is seen inside it is not read besides its value. */
export function RemainingMeter({ state, ...props }: RemainingMeterProps): ReactElement {
  const { limit, remaining } = state
  const { name, valueText, hasBar, className, children } = props
  const words = <span className="petstore-rate-limit-badge-words">{children}</span>
  if (limit === undefined || remaining === undefined) return <span className={className}>{words}</span>
  return (
    <span
      // The native one looks different in every browser, and cannot show its words.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="meter"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={remaining}
      aria-valuetext={valueText}
      className={className}
    >
      {hasBar && (
        <span className="petstore-rate-limit-badge-bar">
          {/* Never in HTML from a server, where nothing is known: a strict CSP has nothing to refuse. */}
          <span className="petstore-rate-limit-badge-fill" style={{ inlineSize: `${(remaining / limit) * 100}%` }} />
        </span>
      )}
      {words}
    </span>
  )
}
