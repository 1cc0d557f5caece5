import type { ReactElement, ReactNode } from 'react'
import type { WaitLabel } from '../labels/waitText.ts'
import { classNames } from './classNames.ts'
import { Countdown } from './Countdown.tsx'
import { Icon, type Tone } from './Icon.tsx'

interface StateLineProps {
  /** Default: a spinner. */
  readonly icon: string | undefined
  readonly tone?: Tone | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** How a call is doing, in one line. Not a live region, which would speak every tick: its changes are announced instead. */
export function StateLine({ icon, tone, className, children }: StateLineProps): ReactElement {
  return (
    <p className={classNames('petstore-hint petstore-state', className)}>
      <Icon path={icon} tone={tone} />
      <span>{children}</span>
    </p>
  )
}

interface HeldTextProps {
  /** Epoch ms. */
  readonly until: number
  /** The text for that time, such as "Create in 59 sec". */
  readonly label: WaitLabel
  /** The accessible name of the button. */
  readonly name: string
}

/** On a button that does nothing until a time. Its name has no countdown: screen readers would speak every tick. */
export function HeldText({ until, label, name }: HeldTextProps): ReactElement {
  return (
    <>
      <span aria-hidden="true">
        <Countdown until={until} label={label} length="short" />
      </span>
      <span className="petstore-visually-hidden">{name}</span>
    </>
  )
}
