import type { ReactElement } from 'react'
import { clock, Icon } from './Icon.tsx'

interface BusyTextProps {
  /** `waiting`: the request has not left yet. `sending`: it is under way. `idle`: there is none. */
  readonly phase: 'idle' | 'waiting' | 'sending'
  /** The icon beside an idle text. Default: none. */
  readonly icon?: string | undefined
  readonly children: string
}

/** What a button or a row says about its request, with a spinner while that is under way. */
export function BusyText({ phase, icon = '', children }: BusyTextProps): ReactElement {
  const path = phase === 'waiting' ? clock : icon
  return (
    <span className="petstore-busy-text">
      {phase === 'sending' ? <span className="petstore-spinner" /> : path !== '' && <Icon path={path} />}
      <span>{children}</span>
    </span>
  )
}

/** The `data-texts` of a button: all texts that it may show. Styles make it as wide as the longest, so nothing beside it moves. */
export const widthTexts = (texts: Readonly<Record<string, string>>): string => Object.values(texts).join('\n')
