import { type RefObject, useMemo, useRef, useState } from 'react'
import type { Category } from '../../contract/category.ts'
import type { CategoryId } from '../../contract/fields.ts'
import type { Formats } from '../../labels/formats.ts'
import { focusTemporarily } from '../RestoreFocus.tsx'
import { useChangeEffect } from '../useChangeEffect.ts'
import { filterCategories } from './filterCategories.ts'

interface VisibleRowsOptions {
  readonly order: 'service' | 'name'
  readonly filterable: boolean
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
  /** Clears the filter and shows enough rows for this one; it receives the focus. */
  readonly reveal: (id: CategoryId) => void
  /** The text in the filter box. */
  readonly filter: string
  readonly setFilter: (filter: string) => void
  /** The text that the rows are filtered by. */
  readonly query: string
  /** The element whose children are the rows. */
  readonly listRef: RefObject<HTMLUListElement | null>
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

/** Sorts, filters and limits the categories. */
export function useVisibleRows(
  data: readonly Category[] | undefined,
  { order, filterable }: VisibleRowsOptions,
  { compare, locale }: Formats,
): VisibleRows {
  const [view, setView] = useState<View>({ filter: '', limit: pageSize })
  const listRef = useRef<HTMLUListElement>(null)

  const query = filterable ? view.filter.trim() : ''
  const all = useMemo(
    () => (data && order === 'name' ? [...data].sort((one, other) => compare(one.name, other.name)) : (data ?? noRows)),
    [data, order, compare],
  )
  const matches = useMemo(() => (query === '' ? all : filterCategories(all, query, locale)), [all, query, locale])
  const count = matches.length
  const rows = useMemo(
    () => (count > view.limit ? matches.slice(0, view.limit) : matches),
    [matches, count, view.limit],
  )

  useChangeEffect(view, () => {
    if (view.focusedRow !== undefined) focusTemporarily(listRef.current?.children[view.focusedRow])
  })

  return {
    all,
    rows,
    matches,
    count,
    more: Math.min(pageSize, count - rows.length),
    showMore: () => setView({ ...view, limit: view.limit + pageSize, focusedRow: rows.length }),
    reveal: (id) => {
      const focusedRow = all.findIndex((category) => category.id === id)
      setView({
        filter: '',
        limit: Math.max(view.limit, Math.ceil((focusedRow + 1) / pageSize) * pageSize),
        focusedRow,
      })
    },
    filter: view.filter,
    setFilter: (filter) => setView({ filter, limit: pageSize }),
    query,
    listRef,
  }
}
