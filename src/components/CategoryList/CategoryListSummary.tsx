import { type ReactElement, useRef } from 'react'
import { labelOfWait } from '../../labels/waitText.ts'
import { announce } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { waitIcons } from '../Icon.tsx'
import { StateLine } from '../StateLine.tsx'
import type { ListView } from './ListView.ts'
import type { SelectionView } from './useSelection.ts'

interface CategoryListSummaryProps extends ListView, Omit<SelectionView, 'select'> {
  /** The number of categories, which describes the rows; empty while it is unknown. */
  readonly text: string
  readonly textId: string
  readonly isMultiple: boolean
}

/** The number of categories, how a request for them is doing, and the buttons that change the whole selection. */
export function CategoryListSummary(props: CategoryListSummaryProps): ReactElement {
  const { text, textId, isMultiple, selectedIds, selectAll, clear, labels, format, slots, sectionRef } = props
  const { matches, isLoading, wait } = props
  const { size } = selectedIds
  const announceCount = (count: number) => announce(labels.selected(count, format), sectionRef.current)
  const hasAll = isMultiple && matches.every(({ id }) => selectedIds.has(id))
  const selectAllRef = useRef<HTMLButtonElement>(null)
  const buttonClass = 'petstore-button petstore-button-quiet petstore-button-inline'

  function clearSelection(): void {
    // The pressed button disappears.
    selectAllRef.current?.focus()
    announceCount(clear())
  }

  return (
    <div className={classNames('petstore-hint petstore-category-list-summary', slots.summary)}>
      {text && <span id={textId}>{text}</span>}
      {wait ? (
        <StateLine icon={waitIcons[wait.reason]} tone="warning">
          <Countdown until={wait.until} label={labelOfWait(labels.waiting, wait)} />
        </StateLine>
      ) : (
        isLoading && <span className="petstore-skeleton">{labels.loading}</span>
      )}
      {isMultiple && (
        <>
          {size > 0 && <strong className="petstore-category-list-selected">{labels.selected(size, format)}</strong>}
          <span className="petstore-category-list-selecting">
            {size > 0 && (
              <button type="button" className={buttonClass} onClick={clearSelection}>
                {labels.clearSelection}
              </button>
            )}
            <button
              ref={selectAllRef}
              type="button"
              className={buttonClass}
              aria-disabled={hasAll} // never `disabled`: it would lose the focus
              onClick={hasAll ? undefined : () => announceCount(selectAll(matches))}
            >
              {labels.selectAll}
            </button>
          </span>
        </>
      )}
    </div>
  )
}

export function CategoryListFooter(view: ListView): ReactElement {
  const { rows, matches, more, showMore, labels, format, slots, sectionRef, idPrefix } = view
  const shownText = (rowCount: number) => labels.shown(rowCount, matches.length, format)

  function onClick(): void {
    showMore()
    announce(shownText(rows.length + more), sectionRef.current)
  }

  return (
    <div className="petstore-hint petstore-category-list-footer">
      <span id={`${idPrefix}-shown`}>{shownText(rows.length)}</span>
      <button type="button" className={classNames('petstore-button', slots.more)} onClick={onClick}>
        {labels.showMore(more, format)}
      </button>
    </div>
  )
}
