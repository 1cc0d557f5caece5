import type { Formats } from './formats.ts'

/** The words of `CategoryList`. */
export interface CategoryListLabels {
  /** Names the list for assistive technology. */
  readonly name: string
  readonly loading: string
  /** While the rate limit holds the request back; `wait` such as "12 seconds". */
  readonly waiting: (wait: string) => string
  readonly empty: string
  readonly filter: string
  readonly clearFilter: string
  /** Nothing has the filter's text in it. */
  readonly noMatch: (filter: string) => string
  /** How many there are: "6 categories". */
  readonly total: (count: number, format: Formats) => string
  /** How many the filter lets through: "3 of 6 categories". */
  readonly matches: (count: number, total: number, format: Formats) => string
  /** How many are on screen: "Showing 200 of 100,000". */
  readonly shown: (shown: number, total: number, format: Formats) => string
  readonly showMore: (count: number, format: Formats) => string
  readonly refresh: string
  readonly refreshing: string
  /** Said once the refreshed rows are there. */
  readonly refreshed: string
  /** Marks the row of a category that is being created. */
  readonly pending: string
  /** How many rows are selected: "2 selected". */
  readonly selected: (count: number, format: Formats) => string
}
