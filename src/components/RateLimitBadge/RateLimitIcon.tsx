import type { ReactElement } from 'react'
import { classNames } from '../classNames.ts'
import { Icon, checkCircle, cloudOff, dots, minus, pause, server, warning } from '../Icon.tsx'
import type { BadgeStatus } from './rateLimitText.ts'

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

export function RateLimitIcon({ status, className }: RateLimitIconProps): ReactElement {
  return <Icon path={icons[status]} className={classNames('petstore-rate-limit-badge-icon', className)} />
}
