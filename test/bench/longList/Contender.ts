import type { ComponentType } from 'react'
import type { Category } from '../../../src/index.ts'

/** Something that shows a list of categories. Each stands in a file of its own, and gets a page of its own. */
export interface Contender {
  /** Without rows it waits for them. */
  readonly App: ComponentType<{ readonly rows: readonly Category[] | undefined }>
  /** Gives it the rows that it waits for, where they do not come as a prop. */
  readonly give?: (rows: readonly Category[]) => void
  /** Whether all that it loads later is there. Default: with the first paint. */
  readonly isReady?: () => boolean
}
