import type { ReactElement } from 'react'
import { useLabels } from '../useLabels.ts'
import type { Problem } from './problems.ts'

/** A problem in our words, and below them in those of the service. */
export function ProblemText({ text, serviceSays }: Omit<Problem, 'field'>): ReactElement {
  const { labels } = useLabels('CategoryForm')
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
