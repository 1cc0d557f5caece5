'use client'

import {
  type ComponentPropsWithoutRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type ReactNode,
  type RefAttributes,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Category, CategoryId } from '../../contract/category.ts'
import { useCategories } from '../../hooks/useCategories.ts'
import { usePendingCategories } from '../../hooks/usePendingCategories.ts'
import type { CategoryListLabels } from '../../labels/CategoryListLabels.ts'
import { announce } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { ErrorNotice } from '../ErrorNotice/ErrorNotice.tsx'
import { isHtmlElement } from '../isHtmlElement.ts'
import { useLabels } from '../useLabels.ts'
import { CategoryFilter } from './CategoryFilter.tsx'
import type { RowOptions } from './CategoryRow.tsx'
import { CategoryRows } from './CategoryRows.tsx'
import { RestoreFocus } from './RestoreFocus.tsx'
import { filterCategories, forgetFilter, prepareFilter } from './filterCategories.ts'
import { focusTemporarily } from './focusTemporarily.ts'
import { RefreshButton } from './RefreshButton.tsx'
import { RowsViewport } from './RowsViewport.tsx'
import { useListAnnouncements } from './useListAnnouncements.ts'
import { useSelection } from './useSelection.ts'
import { useWindowedRows } from './useWindowedRows.ts'

/** Class names of the app's own for the inner parts. */
export interface CategoryListClassNames {
  /** Filter box and refresh button. */
  readonly toolbar?: string | undefined
  /** The filter's input. */
  readonly filter?: string | undefined
  readonly refresh?: string | undefined
  /** The line that says how many there are. */
  readonly summary?: string | undefined
  /** The `ul`; with `windowed` what scrolls, whose height can be set here. */
  readonly rows?: string | undefined
  readonly row?: string | undefined
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Around the buttons of a row. */
  readonly actions?: string | undefined
  /** The button that shows more rows. */
  readonly more?: string | undefined
  /** In place of the rows: there are none, or none that match the filter. */
  readonly empty?: string | undefined
  readonly skeleton?: string | undefined
}

/** Native props go to the root element, a `section`. */
export interface CategoryListProps extends Omit<ComponentPropsWithoutRef<'section'>, 'children'> {
  /** The order of the service, or that of the names in the locale's alphabet. Default `service`. */
  readonly order?: 'service' | 'name' | undefined
  /** Shows a box that filters by name and description. Default `true`. */
  readonly filterable?: boolean | undefined
  /** Shows a button that asks the service again. Default `true`. */
  readonly refreshable?: boolean | undefined
  /** Gives each row a radio button or a checkbox. Default `none`. */
  readonly selectionMode?: 'none' | 'single' | 'multiple' | undefined
  /** What is selected. Left out, the list keeps that itself. A filter does not change it. */
  readonly selection?: readonly CategoryId[] | undefined
  /** What is selected at first, where the list keeps the selection itself. */
  readonly defaultSelection?: readonly CategoryId[] | undefined
  /** Told of each change, with all ids that are selected now, in the order in which they were. */
  readonly onSelectionChange?: ((selection: readonly CategoryId[]) => void) | undefined
  /** The content of a row, in place of name and description. */
  readonly renderItem?: ((category: Category) => ReactNode) | undefined
  /** Buttons and the like at the end of a row. Give each a name that tells which category it is for. */
  readonly actions?: ((category: Category) => ReactNode) | undefined
  /** Below the words that there are no categories, such as a button that creates one. */
  readonly emptyAction?: ReactNode
  /** Below the words that no category matches the filter, such as a button that creates one of that name. */
  readonly noMatchAction?: ((filter: string) => ReactNode) | undefined
  /**
   * For very many rows: they scroll in a box of `--petstore-list-height` (default 30em), and only those in sight are in
   * the page. The browser's own search does not find the others then. Default `false`: 200 rows, and a button for more.
   */
  readonly windowed?: boolean | undefined
  /** Other words than the provider's. */
  readonly labels?: Partial<CategoryListLabels> | undefined
  /** Further class names for the inner parts. */
  readonly classNames?: CategoryListClassNames | undefined
}

/** Rows shown at once, and by each press of "Show more". */
const rowsAtOnce = 200

interface Pages {
  readonly limit: number
  /** Which row gets the focus when "Show more" has shown it. */
  readonly firstNew?: number
}

const firstPage: Pages = { limit: rowsAtOnce }
const noRows: readonly Category[] = []

/**
 * The service's categories, in every state: loading, held back by the rate limit, empty, failed (with a retry), shown.
 * Rows that are there stay there whatever fails later. Rows render again only for a change of their own; keep
 * `renderItem` and `actions` the same function from render to render, so that this holds while the app renders, too.
 */
export const CategoryList: ForwardRefExoticComponent<CategoryListProps & RefAttributes<HTMLElement>> = forwardRef<
  HTMLElement,
  CategoryListProps
>(function CategoryList(props, ref) {
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
    windowed = false,
    labels,
    className,
    classNames: slots = {},
    ...rest
  } = props
  const words = useLabels('CategoryList')
  const { format } = words
  const { compare, locale } = format
  const own = { ...words.labels.categoryList, ...labels }
  const { data, error, isValidating, retryAt, refresh } = useCategories()
  const pending = usePendingCategories()
  const id = useId()

  const section = useRef<HTMLElement>(null)
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => section.current)

  // What is shown
  const [filter, setFilter] = useState('')
  const asked = filterable ? filter.trim() : ''
  const all = useMemo(
    () => (data && order === 'name' ? [...data].sort((one, other) => compare(one.name, other.name)) : (data ?? noRows)),
    [data, order, compare],
  )
  const [pages, setPages] = useState(firstPage)
  const { limit } = pages
  const Windowed = useWindowedRows(windowed)
  const isWindowed = windowed && Windowed !== null
  const most = isWindowed ? Infinity : limit
  const { rows, count } = useMemo(() => filterCategories(all, asked, locale, most), [all, asked, locale, most])
  const more = Math.min(rowsAtOnce, count - rows.length)

  function changeFilter(next: string): void {
    setFilter(next)
    setPages(firstPage)
  }

  const { selectedIds, select } = useSelection({ selectionMode, selection, defaultSelection, onSelectionChange })
  const { row, name, description, actions: actionsSlot } = slots
  const options = useMemo<RowOptions>(
    () => ({
      selectionMode,
      group: id,
      select,
      renderItem,
      actions,
      rowClass: classNames('petstore-category-list-row', row),
      nameClass: classNames('petstore-category-list-name', name),
      descriptionClass: classNames('petstore-category-list-description', description),
      actionsClass: classNames('petstore-category-list-actions', actionsSlot),
    }),
    [selectionMode, id, select, renderItem, actions, row, name, description, actionsSlot],
  )

  const list = useRef<HTMLUListElement>(null)
  const seen = useRef(pages)
  useEffect(() => {
    // Effects also run where nothing has happened, such as when the list comes back from an <Activity>.
    if (seen.current === pages) return
    seen.current = pages
    const element = pages.firstNew === undefined ? undefined : list.current?.children[pages.firstNew]
    if (isHtmlElement(element)) focusTemporarily(element)
  }, [pages])

  function showMore(): void {
    setPages({ limit: limit + rowsAtOnce, firstNew: rows.length })
    announce(own.shown(rows.length + more, count, format), section.current)
  }

  // What is done about it
  const [isRefreshing, setRefreshing] = useState(false)
  async function refreshNow(): Promise<void> {
    setRefreshing(true)
    await refresh()
    setRefreshing(false)
  }

  const heldUntil = data === undefined || isRefreshing ? retryAt : undefined
  const total = own.total(all.length, format)
  const summary = asked === '' ? total : own.matches(count, all.length, format)
  const isNoMatch = all.length > 0 && count === 0
  useListAnnouncements({
    section,
    asked,
    found: isNoMatch ? own.noMatch(asked) : summary,
    isRefreshing,
    refreshed: error ? undefined : own.refreshed,
    heldUntil,
    waiting: (milliseconds) => own.waiting(format.duration(milliseconds)),
  })

  const isLoading = !data && !error && isValidating
  // Without data also where the app has closed its client: nothing is asked then until somebody does.
  const hasRefresh = refreshable && (data !== undefined || (!error && !isValidating))
  const hasFilter = filterable && (data ? all.length > 0 || filter !== '' : !error)
  const hasRows = rows.length > 0 || pending.length > 0
  const nothing = isNoMatch ? own.noMatch(asked) : data?.length === 0 && !hasRows ? own.empty : undefined
  const summaryId = `${id}-summary`
  const shownId = `${id}-shown`
  const describedBy = more > 0 ? `${summaryId} ${shownId}` : summaryId
  const rowProps = { rows, pending, pendingLabel: own.pending, selectedIds, options, describedBy }

  return (
    <section
      aria-label={rest['aria-labelledby'] === undefined ? own.name : undefined}
      // Not while rows are there: some screen readers pass over what is busy.
      aria-busy={isLoading || undefined}
      {...rest}
      ref={section}
      className={classNames('petstore-category-list', className)}
    >
      {(hasFilter || hasRefresh) && (
        <div className={classNames('petstore-category-list-toolbar', slots.toolbar)}>
          {hasFilter && (
            <RestoreFocus heir={section} className="petstore-category-list-filter">
              <CategoryFilter
                value={filter}
                onChange={changeFilter}
                onFocus={() => prepareFilter(all, locale)}
                onBlur={() => void (filter === '' && forgetFilter(all))}
                label={own.filter}
                clearLabel={own.clearFilter}
                className={slots.filter}
              />
            </RestoreFocus>
          )}
          {hasRefresh && (
            <RefreshButton
              isRefreshing={isRefreshing}
              onRefresh={() => void refreshNow()}
              label={isRefreshing ? own.refreshing : own.refresh}
              className={slots.refresh}
            />
          )}
        </div>
      )}
      {heldUntil !== undefined && (
        <p className="petstore-category-list-waiting">
          <Countdown until={heldUntil} format={format}>
            {own.waiting}
          </Countdown>
        </p>
      )}
      {error && (
        <RestoreFocus heir={section}>
          <ErrorNotice error={error} isRetrying={isValidating} onRetry={() => void refreshNow()} />
        </RestoreFocus>
      )}
      {isLoading && (
        <div className={classNames('petstore-skeleton petstore-category-list-skeleton', slots.skeleton)}>
          <span className="petstore-visually-hidden">{own.loading}</span>
          <div className="petstore-skeleton-row" />
          <div className="petstore-skeleton-row" />
          <div className="petstore-skeleton-row" />
        </div>
      )}
      {all.length > 0 && (
        <p id={summaryId} className={classNames('petstore-category-list-summary', slots.summary)}>
          <span>{summary}</span>
          {selectionMode === 'multiple' && selectedIds.size > 0 && (
            <strong className="petstore-category-list-selected">{own.selected(selectedIds.size, format)}</strong>
          )}
        </p>
      )}
      {nothing !== undefined && (
        <RestoreFocus heir={section} className={classNames('petstore-category-list-empty', slots.empty)}>
          <p>{nothing}</p>
          {isNoMatch ? noMatchAction?.(asked) : emptyAction}
        </RestoreFocus>
      )}
      {hasRows && (
        <RestoreFocus heir={section}>
          {isWindowed ? (
            <RowsViewport
              {...rowProps}
              window={Windowed}
              question={`${order} ${asked}`}
              label={own.name}
              className={slots.rows}
            />
          ) : (
            <CategoryRows {...rowProps} ref={list} className={classNames('petstore-category-list-rows', slots.rows)} />
          )}
        </RestoreFocus>
      )}
      {more > 0 && (
        <div className="petstore-category-list-footer">
          <span id={shownId}>{own.shown(rows.length, count, format)}</span>
          <button type="button" className={classNames('petstore-button', slots.more)} onClick={showMore}>
            {own.showMore(more, format)}
          </button>
        </div>
      )}
    </section>
  )
})
