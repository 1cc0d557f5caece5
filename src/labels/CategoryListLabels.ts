import type { WaitReason } from '../rate-limit/Wait.ts'
import type { Formats } from './formats.ts'

/** The labels of `CategoryList`. */
export interface CategoryListLabels {
  /** Names the list for assistive technology. */
  readonly name: string
  readonly loading: string
  /** Shown while the request waits: why, and how long. The arguments are as in `CategoryFormLabels.savingIn`. */
  readonly waiting: (wait: string, time?: string, reason?: WaitReason, isEarliest?: boolean) => string
  readonly empty: string
  /** Below `empty`. */
  readonly emptyHint: string
  readonly filter: string
  readonly clearFilter: string
  /** Shown when no category contains the text of the filter. */
  readonly noMatch: (filter: string) => string
  /** Below `noMatch`. */
  readonly noMatchHint: string
  /** The number of categories: "6 categories". */
  readonly total: (count: number, format: Formats) => string
  /** The number of matches: "3 of 6 categories". */
  readonly matches: (count: number, total: number, format: Formats) => string
  /** The number of rows in the page: "Showing 200 of 100,000". */
  readonly shown: (shown: number, total: number, format: Formats) => string
  readonly showMore: (count: number, format: Formats) => string
  readonly refresh: string
  readonly refreshing: string
  /** Announced after a refresh. */
  readonly refreshed: string
  /** Marks the row of a category that is being created. */
  readonly pending: string
  /** The button that selects all categories that match the filter. */
  readonly selectAll: string
  /** The button that clears the whole selection. */
  readonly clearSelection: string
  /** The number of selected rows: "2 selected". */
  readonly selected: (count: number, format: Formats) => string
}
