import type { ReactElement } from 'react'
import type { Formats } from '../labels/formats.ts'
import { type WaitLabel, waitText } from '../labels/waitText.ts'

interface HeldTextProps {
  /** Epoch ms. */
  readonly until: number
  readonly seconds: number | undefined
  /** The text for that time, such as "Create in 59 sec". */
  readonly label: WaitLabel
  /** The name of the button. */
  readonly name: string
  readonly format: Formats
}

/**
 * The text of a button that does nothing before a time. People see it count; its name does not, since screen readers would
 * speak every tick.
 */
export function HeldText({ until, seconds, label, name, format }: HeldTextProps): ReactElement {
  return (
    <>
      <span aria-hidden="true">{waitText(label, until, format, seconds, 'short')}</span>
      <span className="petstore-visually-hidden">{name}</span>
    </>
  )
}
