import type { ReactElement } from 'react'
import type { RateLimitState } from '../../rate-limit/rateLimitState.ts'
import { classNames } from '../classNames.ts'

const disc = 'M10 1a9 9 0 1 1 0 18 9 9 0 0 1 0-18z'

/** Each status has its own shape, so that color is not the only difference: a body and a mark on it. */
const shapes: Readonly<Record<RateLimitState['status'], readonly [body: string, mark: string]>> = {
  unknown: [disc, 'M6 10h.1M10 10h.1M14 10h.1'],
  ok: [disc, 'm6 10.3 2.8 2.8 5.2-5.6'],
  low: [
    'M8.4 2.6a1.9 1.9 0 0 1 3.2 0l7.2 12.6a1.9 1.9 0 0 1-1.6 2.8H2.8a1.9 1.9 0 0 1-1.6-2.8z',
    'M10 7.2v4.3M10 14.6v.1',
  ],
  exhausted: [disc, 'M6 10h8'],
  'cooling-down': [disc, 'M7.8 6.8v6.4M12.2 6.8v6.4'],
}

interface RateLimitIconProps {
  readonly status: RateLimitState['status']
  readonly className: string | undefined
}

export function RateLimitIcon({ status, className }: RateLimitIconProps): ReactElement {
  const [body, mark] = shapes[status]
  return (
    <svg className={classNames('petstore-rate-limit-badge-icon', className)} viewBox="0 0 20 20" aria-hidden="true">
      <path d={body} />
      <path className="petstore-rate-limit-badge-mark" d={mark} />
    </svg>
  )
}
