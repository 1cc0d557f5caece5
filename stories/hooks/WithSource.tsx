import type { ReactElement, ReactNode } from 'react'
import './Examples.css'

const sources = import.meta.glob<string>('./*.tsx', { query: '?raw', import: 'default', eager: true })

interface WithSourceProps {
  /** Name of the file that `children` comes from, without its ending. */
  readonly file: string
  readonly children: ReactNode
}

/** An example, and below it how it is made: as an app would write it. */
export function WithSource({ file, children }: WithSourceProps): ReactElement {
  return (
    <div className="example">
      {children}
      <details>
        <summary>Source</summary>
        <pre dir="ltr">
          <code>{sources[`./${file}.tsx`]?.replaceAll("'../../src/index.ts'", "'petstore-react'")}</code>
        </pre>
      </details>
    </div>
  )
}
