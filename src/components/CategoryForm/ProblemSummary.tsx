import { forwardRef, type ReactElement } from 'react'
import { errorNotice } from '../../labels/en/errorNotice.ts'
import { Icon, pencil } from '../Icon.tsx'
import { useLabels } from '../useLabels.ts'
import type { FieldName, Problem } from './problems.ts'

interface ProblemSummaryProps {
  /** The prefix of ids, also of those of the fields. */
  readonly id: string
  readonly className: string
  readonly title: string
  readonly problems: readonly Problem[]
  readonly onChoose: (field: FieldName) => void
}

/** All problems, with links to the fields. The group receives the focus; the alert inside it is spoken. */
export const ProblemSummary = /* @__PURE__ */ forwardRef<HTMLDivElement, ProblemSummaryProps>(function ProblemSummary(
  { id, className, title, problems, onChoose },
  ref,
) {
  return (
    <div
      ref={ref}
      className={className}
      // A fieldset groups fields; this groups problems.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-labelledby={`${id}-problems`}
      aria-describedby={`${id}-list`}
      tabIndex={-1}
    >
      <strong id={`${id}-problems`} className="petstore-category-form-problems-title">
        <Icon path={pencil} tone="danger" />
        {title}
      </strong>
      <ul id={`${id}-list`} className="petstore-category-form-problems">
        {problems.map((problem) => {
          const { field } = problem
          return (
            <li key={field ?? ''}>
              {field ? (
                <a
                  className="petstore-category-form-link"
                  href={`#${id}-${field}`}
                  onClick={(event) => {
                    event.preventDefault() // the URL belongs to the app and its router
                    onChoose(field)
                  }}
                >
                  {problem.text}
                </a>
              ) : (
                <ProblemText {...problem} />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
})

/** A problem in our words, followed by the message of the service. */
export function ProblemText({ text, serviceSays }: Omit<Problem, 'field'>): ReactElement {
  const { labels } = useLabels('errorNotice', errorNotice)
  return (
    <>
      {text}
      {serviceSays && (
        <span className="petstore-category-form-service">
          {` ${labels.serviceSays}: `}
          <span dir="auto">{serviceSays}</span>
        </span>
      )}
    </>
  )
}
