import type { CategoryId } from '../../contract/int64.ts'

/** A row that the person should see. */
export interface RevealedRow {
  readonly id: CategoryId
  /** Whether the person asked to see it; else the focus stays in the form. */
  readonly takesFocus: boolean
}
