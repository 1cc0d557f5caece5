import { useCallback, useInsertionEffect, useMemo, useRef, useState } from 'react'
import type { CategoryId } from '../../contract/category.ts'

interface SelectionOptions {
  readonly selectionMode: 'none' | 'single' | 'multiple'
  readonly selection: readonly CategoryId[] | undefined
  readonly defaultSelection: readonly CategoryId[] | undefined
  readonly onSelectionChange: ((selection: readonly CategoryId[]) => void) | undefined
}

interface Selection {
  readonly selectedIds: ReadonlySet<CategoryId>
  /** The same function all the time, so that rows need not render for it. */
  readonly select: (id: CategoryId, isSelected: boolean) => void
}

const none: readonly CategoryId[] = []

/** What is selected: as the app says, or kept here where it says nothing. */
export function useSelection(options: SelectionOptions): Selection {
  const [own, setOwn] = useState(options.defaultSelection ?? none)
  const selection = options.selectionMode === 'none' ? none : (options.selection ?? own)
  const latest = useRef({ ...options, selection })
  useInsertionEffect(() => {
    latest.current = { ...options, selection }
  })

  const select = useCallback((id: CategoryId, isSelected: boolean) => {
    const { selectionMode, selection: before, onSelectionChange } = latest.current
    const others = selectionMode === 'multiple' ? before.filter((other) => other !== id) : none
    const after = isSelected ? [...others, id] : others
    setOwn(after)
    onSelectionChange?.(after)
  }, [])

  return { selectedIds: useMemo(() => new Set(selection), [selection]), select }
}
