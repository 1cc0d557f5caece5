import type { ReactElement } from 'react'
import { clock, Icon } from './Icon.tsx'

interface BusyTextProps {
  /** Whether the request is held before it leaves, or under way; `undefined` while there is none. */
  readonly state: 'waiting' | 'sending' | undefined
  /** Shown while there is none. */
  readonly icon?: string | undefined
  readonly children: string
}

/** What a button or a row says of a request. The spinner is only for one that is under way. */
export function BusyText({ state, icon = '', children }: BusyTextProps): ReactElement {
  const path = state === 'waiting' ? clock : icon
  return (
    <span className="petstore-busy-text">
      {state === 'sending' ? <span className="petstore-spinner" /> : path !== '' && <Icon path={path} />}
      <span>{children}</span>
    </span>
  )
}

/** For `data-texts` of a button: all that it may say. It is as wide as the longest from the start, so nothing beside it moves. */
export const widthTexts = (...texts: readonly string[]): string => texts.join('\n')
