import type { ReactElement, ReactNode } from 'react'
import type { PetstoreError } from '../../client/errors.ts'
import { type ErrorText, useDescribeError } from './useErrorText.ts'
import { useIsSaidElsewhere } from '../keyState.ts'
import { StateLine } from '../StateLine.tsx'

/** Situations that concern the key or the service, and so the whole page. */
const sharedSituations: readonly string[] = [
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

export interface SharedError extends ErrorText {
  readonly error: PetstoreError
  /** Whether another component on the page says the same of the key or the service. */
  readonly isSaidElsewhere: boolean
}

/** @param actedAt - when a person last acted on the component, in epoch ms; 0 if nobody has */
export function useSharedError(error: PetstoreError | undefined, actedAt: number): SharedError | undefined {
  const { describeError } = useDescribeError()
  const text = error && describeError(error)
  const shared = sharedSituations.find((situation) => situation === text?.situation)
  // A press on a held button has sent nothing: it does not bring the notice from another component to this one.
  const isSaidElsewhere = useIsSaidElsewhere(shared, error?.attempts === 0 ? 0 : actedAt)
  return text && { ...text, error, isSaidElsewhere }
}

interface SharedNoticeProps extends SharedError {
  /** The notice. Stays mounted: it would be announced again when it comes back. */
  readonly children: ReactNode
}

/** The notice of a failure; only its title, in one quiet line, if another component on the page shows the notice. */
export function SharedNotice({ isSaidElsewhere, icon, tone, title, children }: SharedNoticeProps): ReactElement {
  return (
    <>
      <div hidden={isSaidElsewhere}>{children}</div>
      {isSaidElsewhere && (
        <StateLine icon={icon} tone={tone}>
          {title}
        </StateLine>
      )}
    </>
  )
}
