import type { ReactElement, ReactNode } from 'react'

interface DevtoolsSectionProps {
  readonly title: string
  readonly children: ReactNode
}

export function DevtoolsSection({ title, children }: DevtoolsSectionProps): ReactElement {
  return (
    <div className="petstore-devtools-section">
      <h3 className="petstore-devtools-heading">{title}</h3>
      {children}
    </div>
  )
}
