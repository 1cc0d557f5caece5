import { useCallback, useMemo, useRef, useState } from 'react'
import type { Category } from '../../contract/category.ts'
import type { CategoryId } from '../../contract/fields.ts'
import { useLatestRef } from '../../hooks/state.ts'

interface SelectionOptions {
  readonly selectionMode: 'none' | 'single' | 'multiple'
  readonly selection: readonly CategoryId[] | undefined
  readonly defaultSelection: readonly CategoryId[] | undefined
  readonly onSelectionChange: ((selection: readonly CategoryId[]) => void) | undefined
}

/** @param isRange - whether all rows between the previous row and this one change with it, if several can be selected */
export type SelectRow = (id: CategoryId, isSelected: boolean, isRange: boolean | undefined) => void

export interface Selection {
  readonly selectedIds: ReadonlySet<CategoryId>
  /** Always the same function, so that rows need not re-render for it. */
  readonly select: SelectRow
  /** Returns how many rows are selected then, as `clear` does. */
  readonly selectAll: (categories: readonly Category[]) => number
  readonly clear: () => number
}

const none: readonly CategoryId[] = []

/**
 * The selection: controlled by the app, or kept here if the app passes none. Only rows of the list can be selected.
 *
 * @param categories - `undefined` until they have loaded
 * @param rows - those that are shown, in their order
 */
export function useSelection(
  options: SelectionOptions,
  categories: readonly Category[] | undefined,
  rows: readonly Category[],
): Selection {
  const [uncontrolled, setUncontrolled] = useState(options.defaultSelection ?? none)
  const requested = options.selectionMode === 'none' ? none : (options.selection ?? uncontrolled)
  const isEmpty = requested.length === 0
  // Most lists have no selection, and need no set of all ids.
  const existingIds = useMemo(
    () => (categories && !isEmpty ? new Set(categories.map(({ id }) => id)) : undefined),
    [categories, isEmpty],
  )
  const selection = useMemo(
    () => (existingIds ? requested.filter((id) => existingIds.has(id)) : requested),
    [existingIds, requested],
  )
  const latest = useLatestRef({ ...options, selection, rows })
  /** The row that the person selected or cleared last: where a range begins. */
  const anchor = useRef<CategoryId>(undefined)

  const setSelection = useCallback(
    (next: readonly CategoryId[]) => {
      setUncontrolled(next)
      latest.current.onSelectionChange?.(next)
      return next.length
    },
    [latest],
  )

  const select = useCallback<SelectRow>(
    (id, isSelected, isRange) => {
      const { selectionMode, selection: before, rows: shown } = latest.current
      const isMultiple = selectionMode === 'multiple'
      const changed = isRange && isMultiple ? idsBetween(shown, anchor.current, id) : [id]
      anchor.current = id
      const others = isMultiple ? without(before, changed) : none
      setSelection([...others, ...(isSelected ? changed : none)])
    },
    [latest, setSelection],
  )

  return {
    selectedIds: useMemo(() => new Set(selection), [selection]),
    select,
    selectAll: (all) => {
      const ids = all.map(({ id }) => id)
      return setSelection([...without(selection, ids), ...ids])
    },
    clear: () => setSelection(none),
  }
}

function without(ids: readonly CategoryId[], removed: readonly CategoryId[]): readonly CategoryId[] {
  const set = new Set(removed)
  return ids.filter((id) => !set.has(id))
}

/** Both ends included. Only the second one if the first one is not shown. */
function idsBetween(rows: readonly Category[], from: CategoryId | undefined, to: CategoryId): readonly CategoryId[] {
  const ends = [from, to].map((end) => rows.findIndex(({ id }) => id === end))
  return ends.includes(-1) ? [to] : rows.slice(Math.min(...ends), Math.max(...ends) + 1).map(({ id }) => id)
}
