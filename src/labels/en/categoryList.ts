import { isolate } from '../isolate.ts'
import type { Formats } from '../formats.ts'
import { withReason } from '../waitText.ts'
import { happensIn, waitReasons } from './waits.ts'

/** The English labels of `CategoryList`, apart from the others: an app loads only those of its components. */
export const categoryList = {
  /** Names the list for assistive technology. */
  name: 'Categories',
  /** In the place of the number of categories, while the first request is under way. */
  loading: 'Loading categories…',
  /**
   * Shown while the request waits: why, and how long. `wait` is a text such as "12 seconds", and `time`, for long waits, such as
   * "at 4:15 PM".
   */
  waiting: /* @__PURE__ */ withReason(waitReasons, /* @__PURE__ */ happensIn('Will load')),
  /** Shown when the service has no categories. */
  empty: 'No categories yet',
  /** Below `empty`. */
  emptyHint: 'New categories appear here.',
  /** The placeholder and the name of the filter box. */
  filter: 'Filter categories',
  /** The button that empties the filter box. */
  clearFilter: 'Clear filter',
  /** Shown when no category contains the text of the filter. */
  noMatch: (filter: string) => `No categories match “${isolate(filter)}”.`,
  /** Below `noMatch`. */
  noMatchHint: 'Check the spelling, or clear the filter.',
  /** The number of categories: "6 categories". */
  total: (count: number, { plural }: Formats) => plural(count, { one: '# category', other: '# categories' }),
  /** The number of matches: "3 of 6 categories". */
  matches: (count: number, total: number, { number, plural }: Formats) =>
    `${number(count)} of ${plural(total, { one: '# category', other: '# categories' })}`,
  /** The number of rows in the page: "Showing 200 of 100,000". */
  shown: (shown: number, total: number, { number }: Formats) => `Showing ${number(shown)} of ${number(total)}`,
  /** The button below the rows: "Show 200 more". */
  showMore: (count: number, { number }: Formats) => `Show ${number(count)} more`,
  /** The button that loads the categories again. */
  refresh: 'Refresh',
  /** The name of that button while it loads them. */
  refreshing: 'Refreshing…',
  /** Announced when a refresh has loaded the categories. */
  refreshed: 'Categories are up to date.',
  /** Marks the row of a category that is being created. */
  pending: 'Creating…',
  /** Replaces `pending` on a row, and `refreshing` on the refresh button, while the request waits. */
  held: 'Waiting…',
  /** The button that selects all categories that match the filter. */
  selectAll: 'Select all',
  /** The button that clears the whole selection. */
  clearSelection: 'Clear selection',
  /** The number of selected rows: "2 selected". */
  selected: (count: number, { number }: Formats) => `${number(count)} selected`,
}
