import { type ComponentType, type ReactElement, useEffect, useRef, useState } from 'react'
import type { Category } from '../../contract/category.ts'
import { classNames } from '../classNames.ts'
import { focusTemporarily, RestoreFocus } from '../RestoreFocus.tsx'
import { CategoryRows, type CategoryRowsProps, renderRow } from './CategoryRows.tsx'
import type { WindowedRowsProps } from './WindowedRows.tsx'

interface RowsViewportProps extends CategoryRowsProps {
  /** The component that windows the rows; `undefined` until it is loaded. */
  readonly window: ComponentType<WindowedRowsProps> | undefined
  /** All categories, also those that the filter hides. */
  readonly all: readonly Category[]
  readonly resetKey: string
  readonly label: string
  readonly className: string | undefined
}

/** How many rows are shown until the window is ready: more than fit into the box. */
const firstRowCount = 30

/** The box in which very long lists scroll. */
export function RowsViewport(props: RowsViewportProps): ReactElement {
  const { window: Window, all, resetKey, label, className, ...rowProps } = props
  const viewport = useRef<HTMLDivElement>(null)
  const isPainted = useIsPainted()
  const { items, revealed, options, describedBy } = rowProps
  const hasCheckboxes = options.selectionMode === 'multiple'

  return (
    <div
      ref={viewport}
      // A fieldset groups the fields of a form; this is none.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-label={label}
      // So that the arrow keys scroll it: not every browser makes a scrolling box focusable by itself.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={classNames('petstore-category-list-rows petstore-category-list-viewport', className)}
    >
      {Window && isPainted ? (
        <Window {...{ all, items, revealed, describedBy, viewport, resetKey, hasCheckboxes, focusRow }}>
          {(item, key, isTabStop) =>
            renderRow(rowProps, item, key, { as: 'div', isTabStop: isTabStop || !hasCheckboxes })
          }
        </Window>
      ) : (
        <RestoreFocus fallbackRef={viewport}>
          <CategoryRows {...rowProps} items={items.slice(0, firstRowCount)} className="petstore-category-list-window" />
        </RestoreFocus>
      )}
    </div>
  )
}

/** The virtualizer scrolls to it. */
const focusRow = (row: Element) => focusTemporarily(row, { preventScroll: true })

/** Whether the first render has been painted. The window needs some frames to measure its rows, and shows none until then. */
function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return isPainted
}
