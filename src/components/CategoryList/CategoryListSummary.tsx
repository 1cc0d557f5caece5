import type { ReactElement } from 'react'
import { labelOfWait } from '../../labels/waitText.ts'
import { announce } from '../announce.ts'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
import { waitIcons } from '../Icon.tsx'
import { StateLine } from '../StateLine.tsx'
import type { ListView } from './ListView.ts'
import type { Selection } from './useSelection.ts'

interface CategoryListSummaryProps extends ListView, Omit<Selection, 'select'> {
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
            <SelectButton isUseless={hasAll} onPress={() => announceCount(selectAll(matches))}>
              {labels.selectAll}
            </SelectButton>
            <SelectButton isUseless={size === 0} onPress={() => announceCount(clear())}>
              {labels.clearSelection}
            </SelectButton>
          </span>
        </>
      )}
    </div>
  )
}

interface SelectButtonProps {
  readonly isUseless: boolean
  readonly onPress: () => void
  readonly children: string
}

/** Never `disabled`: the button would lose the focus. */
function SelectButton({ isUseless, onPress, children }: SelectButtonProps): ReactElement {
  return (
    <button
      type="button"
      className="petstore-button petstore-button-quiet petstore-button-inline petstore-category-list-select"
      aria-disabled={isUseless}
      onClick={isUseless ? undefined : onPress}
    >
      {children}
    </button>
  )
}

/** How many rows are shown, and a button that shows more. */
export function CategoryListFooter(view: ListView): ReactElement {
  const { rows, count, more, showMore, labels, format, slots, sectionRef, id } = view
  const shownText = (rowCount: number) => labels.shown(rowCount, count, format)

  function onClick(): void {
    showMore()
    announce(shownText(rows.length + more), sectionRef.current)
  }

  return (
    <div className="petstore-hint petstore-category-list-footer">
      <span id={`${id}-shown`}>{shownText(rows.length)}</span>
      <button type="button" className={classNames('petstore-button', slots.more)} onClick={onClick}>
        {labels.showMore(more, format)}
      </button>
    </div>
  )
}
