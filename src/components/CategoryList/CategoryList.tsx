'use client'

import {
  type ComponentPropsWithoutRef,
  forwardRef,
  type ReactNode,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react'
import type { Category } from '../../contract/category.ts'
import type { CategoryId } from '../../contract/int64.ts'
import { useCategories } from '../../hooks/useCategories.ts'
import type { CategoryListLabels } from '../../labels/CategoryListLabels.ts'
import { classNames } from '../classNames.ts'
import { Icon, search, tag } from '../Icon.tsx'
import { RestoreFocus } from '../RestoreFocus.tsx'
import { useLabels } from '../useLabels.ts'
import type { CategoryListClassNames } from './CategoryListClassNames.ts'
import { CategoryListFooter } from './CategoryListFooter.tsx'
import { CategoryListProgress } from './CategoryListProgress.tsx'
import { CategoryListSummary } from './CategoryListSummary.tsx'
import { CategoryListToolbar } from './CategoryListToolbar.tsx'
import { CategoryRows } from './CategoryRows.tsx'
import { listStatus } from './listStatus.ts'
import { RowsViewport } from './RowsViewport.tsx'
import { useCreatedRow } from './useCreatedRow.ts'
import { useListAnnouncements } from './useListAnnouncements.ts'
import { usePendingRows } from './usePendingRows.ts'
import { useRefresh } from './useRefresh.ts'
import { useRowOptions } from './useRowOptions.ts'
import { useSelection } from './useSelection.ts'
import { useVisibleRows } from './useVisibleRows.ts'

/** Native props go to the root element, a `section`. */
export interface CategoryListProps extends Omit<ComponentPropsWithoutRef<'section'>, 'children'> {
  /** The order of the service, or by name in the order of the locale. Default `service`. */
  readonly order?: 'service' | 'name' | undefined
  /** Shows a box that filters by name and description. Default `true`. */
  readonly filterable?: boolean | undefined
  /** Shows a button that loads the categories again. Default `true`. */
  readonly refreshable?: boolean | undefined
  /** Gives each row a radio button or a checkbox. Default `none`. */
  readonly selectionMode?: 'none' | 'single' | 'multiple' | undefined
  /** The selected ids. Without it the list keeps the selection itself. A filter does not change the selection. */
  readonly selection?: readonly CategoryId[] | undefined
  /** The initial selection, if the list keeps the selection itself. */
  readonly defaultSelection?: readonly CategoryId[] | undefined
  /** Called when the selection changes, with all selected ids in selection order. */
  readonly onSelectionChange?: ((selection: readonly CategoryId[]) => void) | undefined
  /** Renders the content of a row, instead of name and description. */
  readonly renderItem?: ((category: Category) => ReactNode) | undefined
  /** Renders controls at the end of a row. Give each a name that includes the name of its category. */
  readonly actions?: ((category: Category) => ReactNode) | undefined
  /** Shown below the text that there are no categories, such as a button that creates one. */
  readonly emptyAction?: ReactNode
  /** Renders content below the text that no category matches, such as a button that creates one with that name. */
  readonly noMatchAction?: ((filter: string) => ReactNode) | undefined
  /**
   * For very long lists: rows scroll in a box of `--petstore-list-height` (default 30em), and only those in view are in
   * the page, so the browser's own search does not find the others. Default `false`: 200 rows, and a button for more.
   */
  readonly windowed?: boolean | undefined
  /** Overrides the provider's labels. */
  readonly labels?: Partial<CategoryListLabels> | undefined
  /** Class names for the parts of the list. */
  readonly classNames?: CategoryListClassNames | undefined
}

/**
 * The service's categories, in every state: loading, waiting, empty, failed (with a retry) and shown.
 * Rows stay when a later request fails. A row re-renders only when it changes itself; pass the same `renderItem` and
 * `actions` functions on every render, so that this also holds when the app re-renders.
 */
export const CategoryList = forwardRef<HTMLElement, CategoryListProps>(function CategoryList(props, ref) {
  const { order = 'service', filterable = true, refreshable = true, windowed = false, ...others } = props
  const { selectionMode = 'none', selection, defaultSelection, onSelectionChange, ...content } = others
  const { renderItem, actions, emptyAction, noMatchAction, labels: overrides, ...root } = content
  const { classNames: slots = {}, ...native } = root
  const { labels: provided, format } = useLabels()
  const labels = { ...provided.categoryList, ...overrides }
  const id = useId()
  const sectionRef = useRef<HTMLElement>(null)
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => sectionRef.current)

  const categories = useCategories()
  const pending = usePendingRows()
  const { isRefreshing, refresh } = useRefresh(categories.refresh)
  const visible = useVisibleRows(categories.data, { order, filterable, windowed }, format)
  const status = listStatus(categories, visible, { filterable, refreshable, isRefreshing, pending })
  const view = { ...visible, ...status, categories, isRefreshing, refresh, labels, format, slots, sectionRef, id }
  const { all, rows, count, more, query, window: Window, listRef } = visible
  const { emptyReason } = status

  const total = labels.total(all.length, format)
  const summary = query === '' ? total : labels.matches(count, all.length, format)
  const isNoMatch = emptyReason === 'noMatch'
  const resultText = isNoMatch ? labels.noMatch(query) : summary
  useListAnnouncements(view, resultText, emptyReason === 'empty' ? labels.empty : total)
  const { revealed, onAnimationEnd } = useCreatedRow(visible, sectionRef)

  const selectionProps = { selectionMode, selection, defaultSelection, onSelectionChange }
  const { select, ...whole } = useSelection(selectionProps, categories.data, rows)
  const { selectedIds } = whole
  const optionProps = { selectionMode, group: id, select, renderItem, actions, pendingLabel: labels.pending }
  const options = useRowOptions(optionProps, slots)
  const summaryId = `${id}-summary`
  const describedBy = more > 0 ? `${summaryId} ${id}-shown` : summaryId
  const items = useMemo(() => [...rows, ...pending], [rows, pending])
  const rowProps = { items, selectedIds, revealed, options, describedBy }

  return (
    <section
      aria-label={native['aria-labelledby'] === undefined ? labels.name : undefined}
      // Not while there are rows: some screen readers skip a busy element.
      aria-busy={status.isLoading || undefined}
      {...native}
      ref={sectionRef}
      className={classNames('petstore-category-list', native.className)}
    >
      {(status.hasFilter || status.hasRefresh) && <CategoryListToolbar {...view} />}
      <CategoryListProgress {...view} />
      {all.length > 0 && (
        <CategoryListSummary
          {...view}
          {...whole}
          isMultiple={selectionMode === 'multiple'}
          text={summary}
          textId={summaryId}
        />
      )}
      {emptyReason !== undefined && (
        <RestoreFocus fallbackRef={sectionRef} className={classNames('petstore-category-list-empty', slots.empty)}>
          <Icon path={isNoMatch ? search : tag} className="petstore-category-list-picture" />
          <p className="petstore-category-list-empty-title">{isNoMatch ? resultText : labels.empty}</p>
          <p>{isNoMatch ? labels.noMatchHint : labels.emptyHint}</p>
          {isNoMatch ? noMatchAction?.(query) : emptyAction}
        </RestoreFocus>
      )}
      {status.hasRows && (
        <RestoreFocus fallbackRef={sectionRef} onAnimationEnd={onAnimationEnd}>
          {Window === null ? (
            <CategoryRows
              {...rowProps}
              ref={listRef}
              className={classNames('petstore-category-list-rows', slots.rows)}
            />
          ) : (
            <RowsViewport
              {...rowProps}
              window={Window}
              all={all}
              resetKey={`${order} ${query}`}
              label={labels.name}
              className={slots.rows}
            />
          )}
        </RestoreFocus>
      )}
      {more > 0 && <CategoryListFooter {...view} />}
    </section>
  )
})
