import { useMemo, useRef, useState } from 'react'
import type { Category } from '../../contract/category.ts'
import type { CategoryId } from '../../contract/fields.ts'
import type { Formats } from '../../labels/formats.ts'
import { focusTemporarily } from '../RestoreFocus.tsx'
import { useChangeEffect } from '../useChangeEffect.ts'
import { createCategoryFilter } from './createCategoryFilter.ts'

interface VisibleRowsOptions {
  readonly order: 'service' | 'name'
  readonly filterable: boolean
}

export type VisibleRows = ReturnType<typeof useVisibleRows>

/** What the person has asked to see. */
interface Display {
  readonly filter: string
  readonly limit: number
  /** The position of the row that receives the focus. */
  readonly focusIndex?: number
}

const pageSize = 200
const noRows: readonly Category[] = []

/** The categories in their order, those that match the filter, and those of them that are shown. */
export function useVisibleRows(
  data: readonly Category[] | undefined,
  { order, filterable }: VisibleRowsOptions,
  { compare, locale }: Formats,
) {
  const [display, setDisplay] = useState<Display>({ filter: '', limit: pageSize })
  const { filter, limit, focusIndex } = display
  const listRef = useRef<HTMLUListElement>(null)

  const query = filterable ? filter.trim() : ''
  const all = useMemo(
    () => (data && order === 'name' ? [...data].sort((one, other) => compare(one.name, other.name)) : (data ?? noRows)),
    [data, order, compare],
  )
  /** Whether to prepare the filter before the first keystroke, which would otherwise wait while 100,000 texts are folded. */
  const [isPrepared, setPrepared] = useState(false)
  const needsFilter = isPrepared || query !== ''
  const findMatches = useMemo(
    () => (needsFilter ? createCategoryFilter(all, locale) : () => all),
    [needsFilter, all, locale],
  )
  const matches = useMemo(() => findMatches(query), [query, findMatches])
  const rows = useMemo(() => (matches.length > limit ? matches.slice(0, limit) : matches), [matches, limit])

  useChangeEffect(display, () => {
    if (focusIndex !== undefined) focusTemporarily(listRef.current?.children[focusIndex])
  })

  return {
    /** All categories, in the order of the list. */
    all,
    /** The categories that match the query. */
    matches,
    /** The first matches, up to the limit. */
    rows,
    /** How many rows `showMore` adds. */
    moreCount: Math.min(pageSize, matches.length - rows.length),
    showMore: () => setDisplay({ filter, limit: limit + pageSize, focusIndex: rows.length }),
    /** Clears the filter, shows enough rows for a category, and moves the focus to its row. */
    reveal: (id: CategoryId) => {
      const index = all.findIndex((category) => category.id === id)
      const neededLimit = Math.ceil((index + 1) / pageSize) * pageSize
      setDisplay({ filter: '', limit: Math.max(limit, neededLimit), focusIndex: index })
    },
    filter,
    setFilter: (text: string) => setDisplay({ filter: text, limit: pageSize }),
    query,
    /** Call it with `true` when a person may soon filter. `false` frees the memory when the box has lost the focus. */
    prepareFilter: setPrepared,
    /** The element whose children are the rows. */
    listRef,
  }
}
