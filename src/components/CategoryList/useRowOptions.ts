import { useMemo } from 'react'
import { classNames } from '../classNames.ts'
import type { CategoryListClassNames } from './CategoryListClassNames.ts'
import type { RowOptions } from './CategoryRow.tsx'

type RowProps = Pick<RowOptions, 'selectionMode' | 'group' | 'select' | 'renderItem' | 'actions'>

/** The options of all rows. The same object until one of them changes, so that rows need not re-render. */
export function useRowOptions(props: RowProps, slots: CategoryListClassNames): RowOptions {
  const { selectionMode, group, select, renderItem, actions } = props
  const { row, name, description, actions: actionsSlot } = slots
  return useMemo(
    () => ({
      selectionMode,
      group,
      select,
      renderItem,
      actions,
      rowClass: classNames('petstore-category-list-row', row),
      nameClass: classNames('petstore-category-list-name', name),
      descriptionClass: classNames('petstore-category-list-description', description),
      actionsClass: classNames('petstore-category-list-actions', actionsSlot),
    }),
    [selectionMode, group, select, renderItem, actions, row, name, description, actionsSlot],
  )
}
