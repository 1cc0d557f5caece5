import { type ComponentType, type ReactElement, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { classNames } from '../classNames.ts'
import { focusTemporarily, RestoreFocus } from '../RestoreFocus.tsx'
import { CategoryRows, type CategoryRowsProps, renderRow } from './CategoryRows.tsx'
import { rowKeys } from './rowKeys.ts'
import type { RevealedRow } from './useCreatedRow.ts'
import type { WindowedRowsProps } from './WindowedRows.tsx'

interface RowsViewportProps extends CategoryRowsProps {
  /** The component that windows the rows; `undefined` until it is loaded. */
  readonly window: ComponentType<WindowedRowsProps> | undefined
  readonly resetKey: string
  readonly label: string
  readonly className: string | undefined
}

/** How many rows are shown until the window is ready: more than fit into the box. */
const firstRowCount = 30

/** The box in which very long lists scroll. */
export function RowsViewport(props: RowsViewportProps): ReactElement {
  const { window: Window, resetKey, label, className, ...rowProps } = props
  const viewport = useRef<HTMLDivElement>(null)
  const isPainted = useIsPainted()
  const { items, revealed, describedBy } = rowProps
  const firstItems = useMemo(() => items.slice(0, firstRowCount), [items])
  const keys = useMemo(() => rowKeys(items), [items])

  useReveal(revealed, keys, viewport)

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
        <Window {...{ items, keys, revealed, describedBy, viewport, resetKey }}>
          {(item, index) => renderRow(rowProps, item, keys[index], 'div')}
        </Window>
      ) : (
        <RestoreFocus fallbackRef={viewport}>
          <CategoryRows {...rowProps} items={firstItems} className="petstore-category-list-window" />
        </RestoreFocus>
      )}
    </div>
  )
}

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

/** How many frames the virtualizer may take to measure and show a row that was far away. */
const maxFrames = 30

/** Scrolls to the row, and moves the focus to it if it takes it. The window has the row in the page by then. */
function useReveal(
  revealed: RevealedRow | undefined,
  keys: readonly string[],
  viewport: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    if (!revealed) return undefined
    let frame = 0
    let lastTop: number | undefined
    // The row moves when the virtualizer measures it, and is hidden until then: nothing hidden takes the focus.
    const reveal = (framesLeft: number) => {
      const row = viewport.current?.querySelector(`[aria-posinset="${keys.indexOf(revealed.id) + 1}"] > *`)
      row?.scrollIntoView({ block: 'nearest' })
      if (revealed.takesFocus) focusTemporarily(row, { preventScroll: true })
      const top = row?.getBoundingClientRect().top
      const isSettled = top !== undefined && top === lastTop && (!revealed.takesFocus || row?.matches(':focus'))
      lastTop = top
      if (!isSettled && framesLeft > 0) frame = requestAnimationFrame(() => reveal(framesLeft - 1))
    }
    reveal(maxFrames)
    return () => cancelAnimationFrame(frame)
    // Once for each row that is revealed, wherever later responses move it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [revealed])
}
