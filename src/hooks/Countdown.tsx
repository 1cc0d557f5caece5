import type { ReactNode } from 'react'
import type { Formats } from '../labels/formats.ts'
import { useSecondsUntil } from './useSecondsUntil.ts'
import { type WaitLabel, waitText } from '../labels/waitText.ts'

interface CountdownProps {
  /** Epoch ms. */
  readonly until: number
  readonly format: Formats
  /** Default `long`: "12 seconds". */
  readonly length?: 'long' | 'short' | undefined
  /** Makes the text. */
  readonly children: WaitLabel
}

/** A countdown in words. Only this component renders each second. Keep it out of live regions: they would speak every tick. */
export function Countdown({ until, format, length, children }: CountdownProps): ReactNode {
  const seconds = useSecondsUntil(until)
  return seconds === undefined ? null : waitText(children, until, format, seconds, length)
}
