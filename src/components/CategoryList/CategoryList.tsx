'use client'

import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { Category } from '../../contract/category.ts'
import type { CategoryId } from '../../contract/fields.ts'
import { type PendingCategory, usePendingCategories } from '../../hooks/usePendingCategories.ts'
import { useCategories } from '../../hooks/useCategories.ts'
import { useLatestRef } from '../../hooks/state.ts'
import type { CategoryListLabels } from '../../labels/en.ts'
import { categoryList } from '../../labels/en/categoryList.ts'
import { classNames } from '../classNames.ts'
import { ErrorNotice } from '../ErrorNotice/ErrorNotice.tsx'
import { excerptOf } from '../excerptOf.ts'
import { Icon, search, tag } from '../Icon.tsx'
import { RestoreFocus } from '../RestoreFocus.tsx'
import { SharedNotice, useSharedError } from '../ErrorNotice/SharedNotice.tsx'
import { slowAfter } from '../useIsSlow.ts'
import { useLabels } from '../useLabels.ts'
import { CategoryListFooter, CategoryListSummary } from './CategoryListSummary.tsx'
import { CategoryListToolbar } from './CategoryListToolbar.tsx'
import { CategoryRows, type RowOptions } from './CategoryRows.tsx'
import { type CategoryListClassNames, listStatus, type Refresh } from './ListView.ts'
import { useCreatedRow } from './useCreatedRow.ts'
import { useListAnnouncements } from './useListAnnouncements.ts'
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
  /** The selected ids. Without it the list keeps the selection itself. A filter does not change it; `single` takes one id. */
  readonly selection?: readonly CategoryId[] | undefined
  /** The initial selection, if the list keeps the selection itself. */
  readonly defaultSelection?: readonly CategoryId[] | undefined
  /** Called when the selection changes, with all selected ids in selection order, without ids that the list lacks. */
  readonly onSelectionChange?: ((selection: readonly CategoryId[]) => void) | undefined
  /** Renders the content of a row, instead of name and description. */
  readonly renderItem?: ((category: Category) => ReactNode) | undefined
  /** Renders controls at the end of a row. Give each a name that includes the name of its category. */
  readonly actions?: ((category: Category) => ReactNode) | undefined
  /** Shown below the text that there are no categories, such as a button that creates one. */
  readonly emptyAction?: ReactNode
  /** Renders content below the text that no category matches, such as a button that creates one with that name. */
  readonly noMatchAction?: ((filter: string) => ReactNode) | undefined
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
export const CategoryList = /* @__PURE__ */ forwardRef<HTMLElement, CategoryListProps>(
  function CategoryList(props, ref) {
    const {
      order = 'service',
      filterable = true,
      refreshable = true,
      selectionMode = 'none',
      selection,
      defaultSelection,
      onSelectionChange,
      renderItem,
      actions,
      emptyAction,
      noMatchAction,
      labels: overrides,
      classNames: slots = {},
      ...native
    } = props
    const { labels, format } = useLabels('categoryList', categoryList, overrides)
    const idPrefix = useId()
    const sectionRef = useRef<HTMLElement>(null)
    // With dependencies: without them, a callback ref is called at each render.
    useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => sectionRef.current, [])

    const categories = useCategories()
    const pending = usePendingRows()
    const refreshState = useRefresh(categories.refresh)
    const visible = useVisibleRows(categories.data, { order, filterable }, format)
    const status = listStatus(categories, visible, refreshState.isRefreshing, pending)
    const failure = useSharedError(categories.error, refreshState.refreshedAt)
    const view = {
      ...visible,
      ...status,
      ...refreshState,
      failure,
      categories,
      labels,
      format,
      slots,
      sectionRef,
      idPrefix,
    }
    const { all, rows, matches, moreCount, query, listRef } = visible
    const { emptyReason, isLoading, wait } = status

    const totalText = labels.total(all.length, format)
    const summaryText = query === '' ? totalText : labels.matches(matches.length, all.length, format)
    const isNoMatch = emptyReason === 'noMatch'
    const resultText = isNoMatch ? labels.noMatch(excerptOf(query)) : summaryText
    useListAnnouncements(view, resultText, emptyReason === 'empty' ? labels.empty : totalText)
    const { highlightedId, onAnimationEnd } = useCreatedRow(visible)

    const selectionProps = { selectionMode, selection, defaultSelection, onSelectionChange }
    const { select, ...selectionView } = useSelection(selectionProps, categories.data, rows)
    const rowOptions: RowOptions = {
      selectionMode,
      group: idPrefix,
      select,
      renderItem,
      actions,
      pendingLabel: labels.pending,
      heldLabel: labels.held,
      rowClass: classNames('petstore-category-list-row', slots.row),
      nameClass: classNames('petstore-category-list-name', slots.name),
      descriptionClass: classNames('petstore-hint petstore-category-list-description', slots.description),
      actionsClass: classNames('petstore-category-list-actions', slots.actions),
    }
    // The same object until one of its values changes, so that rows need not re-render. All its values are dependencies,
    // so none can be missing. The lint rule wants each of them to be listed by its name.
    // oxlint-disable-next-line react/exhaustive-deps
    const options = useMemo(() => rowOptions, Object.values(rowOptions))
    const summaryId = `${idPrefix}-summary`
    const describedBy = moreCount > 0 ? `${summaryId} ${idPrefix}-shown` : all.length > 0 ? summaryId : undefined
    const items = useMemo(() => [...rows, ...pending], [rows, pending])

    return (
      <section
        aria-label={native['aria-labelledby'] === undefined ? labels.name : undefined}
        // Not while there are rows: some screen readers skip a busy element.
        aria-busy={isLoading || undefined}
        {...native}
        ref={sectionRef}
        className={classNames('petstore-root petstore-category-list', native.className)}
      >
        {(filterable || refreshable) && (
          <CategoryListToolbar {...view} filterable={filterable} refreshable={refreshable} />
        )}
        {failure && (
          <RestoreFocus fallbackRef={sectionRef}>
            <SharedNotice {...failure}>
              <ErrorNotice error={failure.error} isRetrying={categories.isValidating} onRetry={refreshState.refresh} />
            </SharedNotice>
          </RestoreFocus>
        )}
        {(all.length > 0 || isLoading || wait) && (
          <CategoryListSummary
            {...view}
            {...selectionView}
            showsSelectAll={selectionMode === 'multiple' && all.length > 0}
            text={all.length > 0 ? summaryText : ''}
          />
        )}
        {isLoading && (
          <div className={classNames('petstore-skeleton petstore-category-list-skeleton', slots.skeleton)}>
            <div className="petstore-skeleton-row" />
            <div className="petstore-skeleton-row" />
            <div className="petstore-skeleton-row" />
          </div>
        )}
        {emptyReason !== undefined && (
          <RestoreFocus fallbackRef={sectionRef} className={classNames('petstore-category-list-empty', slots.empty)}>
            <Icon path={isNoMatch ? search : tag} className="petstore-category-list-picture" />
            <p className="petstore-category-list-empty-title">{isNoMatch ? resultText : labels.empty}</p>
            <p className="petstore-hint">{labels[`${emptyReason}Hint`]}</p>
            {isNoMatch ? noMatchAction?.(query) : emptyAction}
          </RestoreFocus>
        )}
        {status.hasRows && (
          <RestoreFocus fallbackRef={sectionRef} onAnimationEnd={onAnimationEnd}>
            <CategoryRows
              {...{ items, highlightedId, options, describedBy, selectedIds: selectionView.selectedIds }}
              ref={listRef}
              className={classNames('petstore-category-list-rows', slots.rows)}
            />
          </RestoreFocus>
        )}
        {moreCount > 0 && <CategoryListFooter {...view} />}
      </section>
    )
  },
)

/** After a change of client, which has another `load`, a refresh by the previous client no longer counts as under way. */
function useRefresh(load: () => Promise<unknown>): Refresh {
  const [underWay, setUnderWay] = useState<{ readonly load: () => Promise<unknown> }>()
  const [refreshedAt, setRefreshedAt] = useState(0)

  function refresh(): void {
    const started = { load }
    setUnderWay(started)
    setRefreshedAt(Date.now())
    void load().then(() => setUnderWay((latest) => (latest === started ? undefined : latest)))
  }

  return { isRefreshing: underWay?.load === load, refreshedAt, refresh }
}

/** The pending categories whose creation takes so long that a person should see them: the others would only flicker. */
function usePendingRows(): readonly PendingCategory[] {
  const pending = usePendingCategories()
  const latest = useLatestRef(pending)
  const [slow, setSlow] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const keys = new Set(pending.map(({ key }) => key))
    // No cleanup clears the timer: if one category is created after another, it would never fire.
    setTimeout(() => latest.current.some(({ key }) => keys.has(key)) && setSlow(keys), slowAfter)
  }, [pending, latest])
  return useMemo(() => pending.filter(({ key }) => slow.has(key)), [pending, slow])
}
