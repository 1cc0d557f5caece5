import type { ReactElement } from 'react'
import { classNames } from '../classNames.ts'

interface RefreshButtonProps {
  readonly isRefreshing: boolean
  readonly onRefresh: () => void
  readonly label: string
  readonly className: string | undefined
}

export function RefreshButton({ isRefreshing, onRefresh, label, className }: RefreshButtonProps): ReactElement {
  return (
    // Never `disabled`: the button would lose the focus.
    <button
      type="button"
      className={classNames('petstore-button petstore-button-quiet petstore-category-list-refresh', className)}
      aria-disabled={isRefreshing}
      onClick={isRefreshing ? undefined : onRefresh}
    >
      <svg className="petstore-category-list-icon" viewBox="0 0 20 20" aria-hidden="true">
        <path d="M16 10a6 6 0 1 1-1.8-4.3M16.5 3v3.5H13" />
      </svg>
      {label}
    </button>
  )
}
