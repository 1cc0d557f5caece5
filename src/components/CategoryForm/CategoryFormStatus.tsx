import type { ReactElement, ReactNode } from 'react'

interface CategoryFormStatusProps {
  readonly className: string
  readonly kind: 'waiting' | 'created'
  readonly children: ReactNode
}

const paths = { waiting: 'M10 5.5V10l3 2', created: 'M6 10.5l2.7 2.7L14 7.5' }

/** The line beside the buttons. Not a live region, which would speak every tick: its changes are announced instead. */
export function CategoryFormStatus({ className, kind, children }: CategoryFormStatusProps): ReactElement {
  return (
    <p className={className} data-kind={kind}>
      <svg className="petstore-category-form-icon" viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="8" />
        <path d={paths[kind]} />
      </svg>
      <span>{children}</span>
    </p>
  )
}
