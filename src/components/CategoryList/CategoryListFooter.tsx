import type { ReactElement } from 'react'
import { announce } from '../announce.ts'
import { classNames } from '../classNames.ts'
import type { ListView } from './ListView.ts'

/** How many rows are shown, and a button that shows more. */
export function CategoryListFooter(view: ListView): ReactElement {
  const { rows, count, more, showMore, labels, format, slots, sectionRef, id } = view
  const shownText = (rowCount: number) => labels.shown(rowCount, count, format)

  function onClick(): void {
    showMore()
    announce(shownText(rows.length + more), sectionRef.current)
  }

  return (
    <div className="petstore-category-list-footer">
      <span id={`${id}-shown`}>{shownText(rows.length)}</span>
      <button type="button" className={classNames('petstore-button', slots.more)} onClick={onClick}>
        {labels.showMore(more, format)}
      </button>
    </div>
  )
}
