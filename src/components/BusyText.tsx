import type { ReactElement } from 'react'
import { clock, Icon } from './Icon.tsx'

interface BusyTextProps {
  /** Whether the request is held before it leaves, or under way; `idle` while there is none. */
  readonly phase: 'idle' | 'waiting' | 'sending'
  /** Shown while there is none. */
  readonly icon?: string | undefined
  readonly children: string
}

/** What a button or a row says of a request. The spinner is only for one that is under way. */
export function BusyText({ phase, icon = '', children }: BusyTextProps): ReactElement {
  const path = phase === 'waiting' ? clock : icon
  return (
    <span className="petstore-busy-text">
      {phase === 'sending' ? <span className="petstore-spinner" /> : path !== '' && <Icon path={path} />}
      <span>{children}</span>
    </span>
  )
}

/** For `data-texts` of a button: all that it may say. It is as wide as the longest from the start, so nothing beside it moves. */
export const widthTexts = (texts: Readonly<Record<string, string>>): string => Object.values(texts).join('\n')
