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

/** @param isRange - whether to change all rows from the one changed last to this one; ignored in `single` mode */
export type SelectRow = (id: CategoryId, isSelected: boolean, isRange: boolean | undefined) => void

export type SelectionView = ReturnType<typeof useSelection>

const none: readonly CategoryId[] = []

/** The selection, which the app controls or this hook keeps. Ids that are not in the list do not count as selected. */
export function useSelection(
  options: SelectionOptions,
  categories: readonly Category[] | undefined,
  rows: readonly Category[],
) {
  const [uncontrolled, setUncontrolled] = useState(options.defaultSelection ?? none)
  const requested = options.selectionMode === 'none' ? none : (options.selection ?? uncontrolled)
  // Most lists have no selection, and need no set of all ids.
  const selectable = requested.length > 0 ? categories : undefined
  const existingIds = useMemo(() => selectable && new Set(selectable.map(({ id }) => id)), [selectable])
  const isMultiple = options.selectionMode === 'multiple'
  const selection = useMemo(() => {
    const existing = existingIds ? requested.filter((id) => existingIds.has(id)) : requested
    return isMultiple ? existing : existing.slice(0, 1)
  }, [existingIds, requested, isMultiple])
  const latest = useLatestRef({ ...options, isMultiple, selection, rows })
  /** The row that the person selected or cleared last: where a range begins. */
  const anchor = useRef<CategoryId>(undefined)

  const setSelection = useCallback(
    (ids: readonly CategoryId[]) => {
      // The service may send an id twice.
      const next = [...new Set(ids)]
      setUncontrolled(next)
      latest.current.onSelectionChange?.(next)
      return next.length
    },
    [latest],
  )

  const select = useCallback<SelectRow>(
    (id, isSelected, isRange) => {
      const current = latest.current
      const changed = isRange && current.isMultiple ? idsBetween(current.rows, anchor.current, id) : [id]
      anchor.current = id
      const others = current.isMultiple ? without(current.selection, changed) : none
      setSelection([...others, ...(isSelected ? changed : none)])
    },
    [latest, setSelection],
  )

  return {
    selectedIds: useMemo<ReadonlySet<CategoryId>>(() => new Set(selection), [selection]),
    /** Always the same function, so that rows need not re-render for it. */
    select,
    /** Returns how many categories are selected then. */
    selectAll: (matches: readonly Category[]) => {
      const ids = matches.map(({ id }) => id)
      return setSelection([...without(selection, ids), ...ids])
    },
    clear: () => setSelection(none),
  }
}

function without(ids: readonly CategoryId[], removed: readonly CategoryId[]): readonly CategoryId[] {
  const set = new Set(removed)
  return ids.filter((id) => !set.has(id))
}

/** The ids of the rows from `anchor` to `pressed`, both included, in either order. Only `pressed` if `anchor` has no row. */
function idsBetween(rows: readonly Category[], anchor: CategoryId | undefined, pressed: CategoryId) {
  const ends = [anchor, pressed].map((end) => rows.findIndex(({ id }) => id === end))
  return ends.includes(-1) ? [pressed] : rows.slice(Math.min(...ends), Math.max(...ends) + 1).map(({ id }) => id)
}
