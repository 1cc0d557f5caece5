import { isolate } from '../isolate.ts'
import type { Formats } from '../formats.ts'
import { withReason } from '../waitText.ts'
import { happensIn, waitReasons } from './waits.ts'

export const categoryList = {
  /** Names the list for assistive technology. */
  name: 'Categories',
  /** Replaces the number of categories while the first request is under way. */
  loading: 'Loading categories…',
  /** Shown while the request waits: why, and how long. The parameters are as in `CategoryFormLabels.savingIn`. */
  waiting: /* @__PURE__ */ withReason(waitReasons, /* @__PURE__ */ happensIn('Will load')),
  empty: 'No categories yet',
  emptyHint: 'New categories appear here.',
  /** The placeholder and the name of the filter box. */
  filter: 'Filter categories',
  clearFilter: 'Clear filter',
  noMatch: (filter: string) => `No categories match “${isolate(filter)}”.`,
  noMatchHint: 'Check the spelling, or clear the filter.',
  total: (count: number, { plural }: Formats) => plural(count, { one: '# category', other: '# categories' }),
  matches: (count: number, total: number, { number, plural }: Formats) =>
    `${number(count)} of ${plural(total, { one: '# category', other: '# categories' })}`,
  shown: (shown: number, total: number, { number }: Formats) => `Showing ${number(shown)} of ${number(total)}`,
  showMore: (count: number, { number }: Formats) => `Show ${number(count)} more`,
  refresh: 'Refresh',
  /** The name of the refresh button while it loads. */
  refreshing: 'Refreshing…',
  /** Announced when a refresh has loaded the categories. */
  refreshed: 'Categories are up to date.',
  /** Marks the row of a category that is being created. */
  pending: 'Creating…',
  /** Replaces `pending` on a row, and `refreshing` on the refresh button, while the request waits. */
  held: 'Waiting…',
  /** The button that selects all categories that match the filter. */
  selectAll: 'Select all',
  clearSelection: 'Clear selection',
  selected: (count: number, { number }: Formats) => `${number(count)} selected`,
}
