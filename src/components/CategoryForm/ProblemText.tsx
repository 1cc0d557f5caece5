import type { ReactElement } from 'react'
import { useLabels } from '../useLabels.ts'
import type { Problem } from './problems.ts'

/** A problem in our words, followed by the message of the service. */
export function ProblemText({ text, serviceSays }: Omit<Problem, 'field'>): ReactElement {
  const { labels } = useLabels()
  return (
    <>
      {text}
      {serviceSays && (
        <span className="petstore-category-form-service">
          {` ${labels.errorNotice.serviceSays}: `}
          <span dir="auto">{serviceSays}</span>
        </span>
      )}
    </>
  )
}
