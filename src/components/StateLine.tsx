import type { ReactElement, ReactNode } from 'react'
import { classNames } from './classNames.ts'
import { Icon, type Tone } from './Icon.tsx'

interface StateLineProps {
  readonly icon: string
  readonly tone?: Tone | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** How a call is doing, in one line. Not a live region, which would speak every tick: its changes are announced instead. */
export function StateLine({ icon, tone, className, children }: StateLineProps): ReactElement {
  return (
    <p className={classNames('petstore-state', className)}>
      <Icon path={icon} tone={tone} />
      <span>{children}</span>
    </p>
  )
}
