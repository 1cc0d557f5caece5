import { useMemo } from 'react'
import { classNames } from '../classNames.ts'
import type { CategoryListClassNames } from './CategoryListClassNames.ts'
import type { RowOptions } from './CategoryRow.tsx'

type RowProps = Pick<RowOptions, 'selectionMode' | 'group' | 'select' | 'renderItem' | 'actions' | 'pendingLabel'>

/** The options of all rows. The same object until one of them changes, so that rows need not re-render. */
export function useRowOptions(props: RowProps, slots: CategoryListClassNames): RowOptions {
  const options = {
    ...props,
    rowClass: classNames('petstore-category-list-row', slots.row),
    nameClass: classNames('petstore-category-list-name', slots.name),
    descriptionClass: classNames('petstore-category-list-description', slots.description),
    actionsClass: classNames('petstore-category-list-actions', slots.actions),
  }
  // The values are the dependencies: always as many, in the same order. A list of their names could miss one.
  // oxlint-disable-next-line react/exhaustive-deps
  return useMemo(() => options, Object.values(options))
}
