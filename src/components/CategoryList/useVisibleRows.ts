import { type ComponentType, type RefObject, useMemo, useRef, useState } from 'react'
import type { Category } from '../../contract/category.ts'
import type { CategoryId } from '../../contract/int64.ts'
import type { Formats } from '../../labels/formats.ts'
import { focusTemporarily } from '../RestoreFocus.tsx'
import { useChangeEffect } from '../useChangeEffect.ts'
import { useLate } from '../useLate.ts'
import type * as filterIndex from './filterCategories.ts'
import type { WindowedRowsProps } from './WindowedRows.tsx'

interface VisibleRowsOptions {
  readonly order: 'service' | 'name'
  readonly filterable: boolean
  readonly windowed: boolean
}

export interface VisibleRows {
  /** All categories, in the order of the list. */
  readonly all: readonly Category[]
  /** Those that match the query, up to the limit. */
  readonly rows: readonly Category[]
  /** All that match the query. */
  readonly matches: readonly Category[]
  /** How many match the query. */
  readonly count: number
  /** How many rows `showMore` adds. */
  readonly more: number
  readonly showMore: () => void
  /** Clears the filter and shows enough rows for this one; it receives the focus, unless the rows are windowed. */
  readonly reveal: (id: CategoryId) => void
  /** The text in the filter box. */
  readonly filter: string
  readonly setFilter: (filter: string) => void
  /** Prepares for the first keystroke in the filter box. */
  readonly prepareFilter: () => void
  /** Releases what was prepared. */
  readonly forgetFilter: () => void
  /** The text that the rows are filtered by. */
  readonly query: string
  /** The element whose children are the rows, unless they are windowed. */
  readonly listRef: RefObject<HTMLUListElement | null>
  /** The component that windows the rows: `undefined` until it is loaded, `null` if the rows are not windowed. */
  readonly window: ComponentType<WindowedRowsProps> | null | undefined
}

/** A person's requests for more rows. */
interface View {
  readonly filter: string
  readonly limit: number
  /** The row that receives the focus. */
  readonly focusedRow?: number
}

const pageSize = 200
const noRows: readonly Category[] = []

/** The filter until the index is loaded, and if it cannot be loaded: accents make a difference. */
function filterPlainly(all: readonly Category[], query: string, locale: string): readonly Category[] {
  const fold = (text: string) => text.toLocaleLowerCase(locale)
  return all.filter(({ name, description }) => fold(`${name}\n${description ?? ''}`).includes(fold(query)))
}

/** Sorts, filters and limits the categories. */
export function useVisibleRows(
  data: readonly Category[] | undefined,
  { order, filterable, windowed }: VisibleRowsOptions,
  { compare, locale }: Formats,
): VisibleRows {
  const [view, setView] = useState<View>({ filter: '', limit: pageSize })
  const listRef = useRef<HTMLUListElement>(null)
  const [index, setIndex] = useState<typeof filterIndex>()
  const windowFile = useLate(windowed, loadWindow)
  const window = windowed ? windowFile && windowFile.WindowedRows : null

  const query = filterable ? view.filter.trim() : ''
  const limit = window === null ? view.limit : Infinity
  const all = useMemo(
    () => (data && order === 'name' ? [...data].sort((one, other) => compare(one.name, other.name)) : (data ?? noRows)),
    [data, order, compare],
  )
  const matches = useMemo(
    () => (query === '' ? all : (index?.filterCategories ?? filterPlainly)(all, query, locale)),
    [all, query, locale, index],
  )
  const count = matches.length
  const rows = useMemo(() => (count > limit ? matches.slice(0, limit) : matches), [matches, count, limit])

  useChangeEffect(view, () => {
    if (view.focusedRow !== undefined) focusTemporarily(listRef.current?.children[view.focusedRow])
  })

  function prepareFilter(): void {
    import('./filterCategories.ts').then(
      (loaded) => {
        loaded.prepareFilter(all, locale)
        setIndex(loaded)
      },
      () => {},
    )
  }

  return {
    all,
    rows,
    matches,
    count,
    more: Math.min(pageSize, count - rows.length),
    showMore: () => setView({ ...view, limit: limit + pageSize, focusedRow: rows.length }),
    reveal: (id) => {
      const focusedRow = all.findIndex((category) => category.id === id)
      setView({ filter: '', limit: Math.max(limit, Math.ceil((focusedRow + 1) / pageSize) * pageSize), focusedRow })
    },
    filter: view.filter,
    setFilter: (filter) => {
      // Text that was typed before hydration comes without a new focus.
      if (!index) prepareFilter()
      setView({ filter, limit: pageSize })
    },
    prepareFilter,
    forgetFilter: () => index?.forgetFilter(all),
    query,
    listRef,
    window,
  }
}

/** Without layout, as in jsdom, nothing can be windowed. */
const loadWindow = () => (typeof ResizeObserver === 'undefined' ? Promise.reject() : import('./WindowedRows.tsx'))
