import type { ReactElement } from 'react'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import { classNames } from '../classNames.ts'
import { Icon, checkCircle, dots, minus, pause, warning } from '../Icon.tsx'

/** Each status has its own shape, so that color is not the only difference. */
const icons = {
  unknown: dots,
  ok: checkCircle,
  low: warning,
  exhausted: minus,
  'cooling-down': pause,
} satisfies Readonly<Record<RateLimitState['status'], string>>

interface RateLimitIconProps {
  readonly status: RateLimitState['status']
  readonly className: string | undefined
}

export function RateLimitIcon({ status, className }: RateLimitIconProps): ReactElement {
  return <Icon path={icons[status]} className={classNames('petstore-rate-limit-badge-icon', className)} />
}
