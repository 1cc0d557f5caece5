import { type ReactElement, useRef } from 'react'
import { labelOfWait } from '../../labels/waitText.ts'
import { announce } from '../announce.ts'
import { classNames, inlineButton } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { close, Icon, waitIcons } from '../Icon.tsx'
import { StateLine } from '../StateLine.tsx'
import type { ListView } from './ListView.ts'
import type { SelectionView } from './useSelection.ts'

interface CategoryListSummaryProps extends ListView, Omit<SelectionView, 'select'> {
  /** The number of categories, which describes the rows; empty while it is unknown. */
  readonly text: string
  /** Whether to show how many rows are selected, and the buttons that change the whole selection. */
  readonly showsSelectAll: boolean
}

/** The number of categories, how a request for them is doing, and the buttons that change the whole selection. */
export function CategoryListSummary(props: CategoryListSummaryProps): ReactElement {
  const { text, showsSelectAll, selectedIds, selectAll, clear, labels, format, slots, sectionRef } = props
  const { matches, query, isLoading, wait, idPrefix } = props
  const { size } = selectedIds
  const announceCount = (count: number) => announce(labels.selected(count, format), sectionRef.current)
  const hasAll = showsSelectAll && matches.every(({ id }) => selectedIds.has(id))
  const selectAllRef = useRef<HTMLButtonElement>(null)

  function clearSelection(): void {
    // The pressed button disappears, and must not take the focus with it.
    selectAllRef.current?.focus()
    announceCount(clear())
  }

  return (
    <div className={classNames('petstore-hint petstore-category-list-summary', slots.summary)}>
      {text && (
        // There is room for one number. While the number of selected rows is shown, this one only describes the list.
        <span id={`${idPrefix}-summary`} hidden={showsSelectAll && size > 0 && query === ''}>
          {text}
        </span>
      )}
      {wait ? (
        <StateLine icon={waitIcons[wait.reason]} tone="warning">
          <Countdown until={wait.until} label={labelOfWait(labels.waiting, wait)} />
        </StateLine>
      ) : (
        isLoading && <span className="petstore-skeleton">{labels.loading}</span>
      )}
      {showsSelectAll && (
        <>
          {size > 0 && (
            <span className="petstore-category-list-selected">
              <span>{labels.selected(size, format)}</span>
              <button
                type="button"
                className={inlineButton}
                aria-label={labels.clearSelection}
                onClick={clearSelection}
              >
                <Icon path={close} />
              </button>
            </span>
          )}
          <button
            ref={selectAllRef}
            type="button"
            className={`${inlineButton} petstore-category-list-select-all`}
            aria-disabled={hasAll} // never `disabled`: it would lose the focus
            onClick={hasAll ? undefined : () => announceCount(selectAll(matches))}
          >
            {labels.selectAll}
          </button>
        </>
      )}
    </div>
  )
}

export function CategoryListFooter(view: ListView): ReactElement {
  const { rows, matches, moreCount, showMore, labels, format, slots, sectionRef, idPrefix } = view
  const shownText = (rowCount: number) => labels.shown(rowCount, matches.length, format)

  function onClick(): void {
    showMore()
    announce(shownText(rows.length + moreCount), sectionRef.current)
  }

  return (
    <div className="petstore-hint petstore-category-list-footer">
      <span id={`${idPrefix}-shown`}>{shownText(rows.length)}</span>
      <button type="button" className={classNames('petstore-button', slots.more)} onClick={onClick}>
        {labels.showMore(moreCount, format)}
      </button>
    </div>
  )
}
