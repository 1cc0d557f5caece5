import { useCallback, useMemo, useState } from 'react'
import type { Category } from '../../contract/category.ts'
import type { CategoryId } from '../../contract/CategoryId.ts'
import { useLatestRef } from '../../hooks/useLatestRef.ts'

interface SelectionOptions {
  readonly selectionMode: 'none' | 'single' | 'multiple'
  readonly selection: readonly CategoryId[] | undefined
  readonly defaultSelection: readonly CategoryId[] | undefined
  readonly onSelectionChange: ((selection: readonly CategoryId[]) => void) | undefined
}

interface Selection {
  readonly selectedIds: ReadonlySet<CategoryId>
  /** Always the same function, so that rows need not re-render for it. */
  readonly select: (id: CategoryId, isSelected: boolean) => void
}

const none: readonly CategoryId[] = []

/**
 * The selection: controlled by the app, or kept here if the app passes none. Only rows of the list can be selected.
 *
 * @param categories - `undefined` until they have loaded
 */
export function useSelection(options: SelectionOptions, categories: readonly Category[] | undefined): Selection {
  const [uncontrolled, setUncontrolled] = useState(options.defaultSelection ?? none)
  const requested = options.selectionMode === 'none' ? none : (options.selection ?? uncontrolled)
  const isEmpty = requested.length === 0
  const existing = useMemo(
    () => (categories && !isEmpty ? new Set(categories.map(({ id }) => id)) : undefined),
    [categories, isEmpty],
  )
  const selection = useMemo(
    () => (existing ? requested.filter((id) => existing.has(id)) : requested),
    [existing, requested],
  )
  const latest = useLatestRef({ ...options, selection })

  const select = useCallback(
    (id: CategoryId, isSelected: boolean) => {
      const { selectionMode, selection: before, onSelectionChange } = latest.current
      const others = selectionMode === 'multiple' ? before.filter((other) => other !== id) : none
      const after = isSelected ? [...others, id] : others
      setUncontrolled(after)
      onSelectionChange?.(after)
    },
    [latest],
  )

  return { selectedIds: useMemo(() => new Set(selection), [selection]), select }
}
