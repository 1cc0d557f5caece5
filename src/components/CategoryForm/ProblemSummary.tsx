import { forwardRef, type ReactElement } from 'react'
import type { BadRequestError, PetstoreError } from '../../client/errors.ts'
import type { PetstoreLabels } from '../../labels/en.ts'
import { Icon, pencil } from '../Icon.tsx'
import { type FieldName, fieldNames, type Problem } from './useCategorySubmission.ts'

/** The problems of the input; empty for an error of another kind. */
export function problemsOf(
  error: PetstoreError,
  { categoryForm, errorNotice }: Pick<PetstoreLabels, 'categoryForm' | 'errorNotice'>,
): readonly Problem[] {
  const fieldTexts = { name: categoryForm.nameInvalid, description: categoryForm.descriptionInvalid }
  const { title, advice } = errorNotice.errors[error.kind]
  const refused = error.kind === 'bad-request' ? `${title}.` : advice
  const textOf = (field: FieldName | undefined) => (field ? fieldTexts[field] : refused)

  if (error.kind === 'bad-request') {
    const field = fieldNamedBy(error)
    const text = textOf(field)
    const said = error.serviceMessage
    return [{ field, text, content: said && <ServiceText {...{ text, said }} label={errorNotice.serviceSays} /> }]
  }
  if (error.kind === 'input-validation') {
    const invalidFields = error.issues.map(({ path: [first] = [] }) => {
      const key = typeof first === 'object' ? first.key : first
      return fieldNames.find((field) => field === key)
    })
    return [...new Set(invalidFields)].map((field) => ({ field, text: textOf(field) }))
  }
  return []
}

/**
 * The only field that the service's code or message contains as a word: "invalid_name", "nameTooLong", "name: expected a
 * string". The interface document lists no codes, so nothing less clear is interpreted.
 */
function fieldNamedBy({ body, serviceMessage }: BadRequestError): FieldName | undefined {
  const text = `${body?.code} ${serviceMessage}`.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  const words = text.split(/[^\p{L}]+/u)
  const [named, ...others] = fieldNames.filter((field) => words.includes(field))
  return others.length === 0 ? named : undefined
}

interface ServiceTextProps {
  readonly text: string
  /** The message of the service. */
  readonly said: string
  readonly label: string
}

/** A problem in our words, followed by the message of the service. */
function ServiceText({ text, said, label }: ServiceTextProps): ReactElement {
  return (
    <>
      <span>{text}</span>
      <span className="petstore-category-form-service">
        <span>{` ${label}: `}</span>
        <span dir="auto">{said}</span>
      </span>
    </>
  )
}

interface ProblemSummaryProps {
  /** The prefix of ids, also of those of the fields. */
  readonly id: string
  readonly className: string
  readonly title: string
  readonly problems: readonly Problem[]
  readonly onChoose: (field: FieldName) => void
}

/**
 * All problems, with links to the fields, if there are several or one belongs to no field. The group receives the focus;
 * the alert inside it is spoken.
 */
export const ProblemSummary = /* @__PURE__ */ forwardRef<HTMLDivElement, ProblemSummaryProps>(function ProblemSummary(
  { id, className, title, problems, onChoose },
  ref,
) {
  if (!needsSummary(problems)) return null
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
        <span>{title}</span>
      </strong>
      <ul id={`${id}-list`} className="petstore-category-form-problems">
        {problems.map(({ field, text, content = text }) => (
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
                {text}
              </a>
            ) : (
              content
            )}
          </li>
        ))}
      </ul>
    </div>
  )
})

/** Whether the problems need a summary: there are several, or one belongs to no field. */
export function needsSummary(problems: readonly Problem[]): boolean {
  return problems.length > 1 || problems.some(({ field }) => !field)
}
