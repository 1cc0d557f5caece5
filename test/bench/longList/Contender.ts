import type { ComponentType } from 'react'
import type { Category } from '../../../src/index.ts'

/** A way to show a list of categories. Each has its own file and its own page. */
export interface Contender {
  /** `rows` is `undefined` while the data load. */
  readonly App: ComponentType<{ readonly rows: readonly Category[] | undefined }>
  /** Delivers the rows, where they do not arrive as a prop. */
  readonly deliver?: (rows: readonly Category[]) => void
}
