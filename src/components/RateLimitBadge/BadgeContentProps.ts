import type { RefObject } from 'react'
import type { Formats } from '../../labels/formats.ts'
import type { RateLimitBadgeLabels } from '../../labels/RateLimitBadgeLabels.ts'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import type { RateLimitBadgeClassNames } from './RateLimitBadgeClassNames.ts'
import type { RateLimitText } from './rateLimitText.ts'

export interface BadgeContentProps {
  readonly state: RateLimitState
  readonly text: RateLimitText
  readonly labels: RateLimitBadgeLabels
  readonly format: Formats
  readonly slots: RateLimitBadgeClassNames
  /** The element that names the badge, and its id. */
  readonly nameRef: RefObject<HTMLElement | null>
  readonly id: string
}
