import { type ComponentType, type ReactElement, useEffect, useMemo, useRef, useState } from 'react'
import { classNames } from '../classNames.ts'
import { CategoryRows, type CategoryRowsProps } from './CategoryRows.tsx'
import { RestoreFocus } from './RestoreFocus.tsx'
import type { WindowedRowsProps } from './WindowedRows.tsx'

interface RowsViewportProps extends CategoryRowsProps {
  /** What shows the rows in sight; `undefined` until it is loaded. */
  readonly window: ComponentType<WindowedRowsProps> | undefined
  readonly question: string
  readonly label: string
  readonly className: string | undefined
}

/** Rows that stand in for the window at first: more than the box shows. */
const rowsAhead = 30

/** The box in which very many rows scroll. */
export function RowsViewport(props: RowsViewportProps): ReactElement {
  const { window: Window, question, label, className, ...rowProps } = props
  const viewport = useRef<HTMLDivElement>(null)
  const isPainted = useIsPainted()
  const firstRows = useMemo(() => rowProps.rows.slice(0, rowsAhead), [rowProps.rows])
  return (
    // Scrolled by the keyboard, too: not every browser lets what scrolls take the focus by itself.
    <div
      ref={viewport}
      // A fieldset is for the parts of a form.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-label={label}
      // For the arrow keys, which scroll it: see above.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={classNames('petstore-category-list-rows petstore-category-list-viewport', className)}
    >
      {Window && isPainted ? (
        <Window {...rowProps} viewport={viewport} question={question} />
      ) : (
        <RestoreFocus heir={viewport}>
          <CategoryRows {...rowProps} rows={firstRows} className="petstore-category-list-window" />
        </RestoreFocus>
      )}
    </div>
  )
}

/** Whether what was rendered first has been on screen: the window takes some frames to measure its rows. */
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
