import type { ReactElement, ReactNode } from 'react'
import { errorNotice } from '../../labels/en/errorNotice.ts'
import { useDescribeError } from './errorText.ts'
import { useIsSaidElsewhere } from '../keyState.ts'
import { StateLine } from '../StateLine.tsx'
import { useLabels } from '../useLabels.ts'

/** Situations of the key or the service, whichever component meets them. */
const sharedSituations: readonly (string | undefined)[] = [
  'authentication',
  'signedOut',
  'rate-limit',
  'limitToday',
  'keyPaused',
  'servicePaused',
  'network',
  'offline',
  'server',
]

interface SharedNoticeProps {
  readonly error: Error
  /** When a person last acted on the component, in epoch ms; 0 if nobody has. */
  readonly actedAt: number
  /** The notice. Stays mounted: it would be announced again when it comes back. */
  readonly children: ReactNode
}

/** The notice of a failure; as one quiet line where another component on the page says the same. */
export function SharedNotice({ error, actedAt, children }: SharedNoticeProps): ReactElement {
  const { labels, format } = useLabels('errorNotice', errorNotice)
  const { situation, icon, tone, title } = useDescribeError(labels, format)(error)
  const isSaid = useIsSaidElsewhere(sharedSituations.includes(situation) ? situation : undefined, actedAt)
  return (
    <>
      <div hidden={isSaid}>{children}</div>
      {isSaid && (
        <StateLine icon={icon} tone={tone}>
          {title}
        </StateLine>
      )}
    </>
  )
}
