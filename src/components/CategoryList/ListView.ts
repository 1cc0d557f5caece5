import type { RefObject } from 'react'
import type { UseCategoriesResult } from '../../hooks/useCategories.ts'
import type { CategoryListLabels } from '../../labels/CategoryListLabels.ts'
import type { Formats } from '../../labels/formats.ts'
import type { CategoryListClassNames } from './CategoryListClassNames.ts'
import type { ListStatus } from './listStatus.ts'
import type { VisibleRows } from './useVisibleRows.ts'

/** The values that the parts of the list share. */
export interface ListView extends VisibleRows, ListStatus {
  readonly categories: UseCategoriesResult
  /** Whether a refresh that a person asked for is under way. */
  readonly isRefreshing: boolean
  readonly refresh: () => void
  readonly labels: CategoryListLabels
  readonly format: Formats
  readonly slots: CategoryListClassNames
  /** The root element. It receives the focus of parts that disappear. */
  readonly sectionRef: RefObject<HTMLElement | null>
  /** The prefix of ids. */
  readonly id: string
}
