import type { ReactElement } from 'react'
import type { PetstoreError } from '../../client/errors.ts'
import type { ErrorNoticeLabels } from '../../labels/ErrorNoticeLabels.ts'
import { classNames } from '../classNames.ts'

interface ErrorDetailsProps {
  readonly error: PetstoreError
  readonly labels: ErrorNoticeLabels
  readonly className: string | undefined
}

/** Details for support, closed at first: the message of the service, its code and status, and the operation. */
export function ErrorDetails({ error, labels, className }: ErrorDetailsProps): ReactElement {
  const body = 'body' in error ? error.body : undefined
  const rows: readonly (readonly [term: string, text: string | number | undefined])[] = [
    [labels.serviceSays, body?.message],
    [labels.code, body?.code],
    [labels.status, 'status' in error ? error.status : undefined],
    [labels.operation, error.operation],
  ]
  return (
    <details className={classNames('petstore-error-notice-details', className)}>
      <summary>{labels.details}</summary>
      <dl>
        {rows.map(
          ([term, text]) =>
            text && (
              <div key={term}>
                <dt>{term}</dt>
                <dd dir="auto">{text}</dd>
              </div>
            ),
        )}
      </dl>
    </details>
  )
}
