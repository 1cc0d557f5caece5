import type { ReactElement } from 'react'
import type { PetstoreError } from '../../client/errors.ts'
import type { ErrorNoticeLabels } from '../../labels/ErrorNoticeLabels.ts'
import { classNames } from '../classNames.ts'

interface ErrorDetailsProps {
  readonly error: PetstoreError
  readonly words: ErrorNoticeLabels
  readonly className: string | undefined
}

/** What helps those who are asked for help: on demand, and in the service's own words where it sent some. */
export function ErrorDetails({ error, words, className }: ErrorDetailsProps): ReactElement {
  const body = 'body' in error ? error.body : undefined
  const rows: readonly (readonly [term: string, text: string | number | undefined])[] = [
    [words.serviceSays, body?.message],
    [words.code, body?.code],
    [words.status, 'status' in error ? error.status : undefined],
    [words.operation, error.operation],
  ]
  return (
    <details className={classNames('petstore-error-notice-details', className)}>
      <summary>{words.details}</summary>
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
