import type { ReactElement } from 'react'

interface ItemButtonProps {
  readonly children: string
  /** Id of the text that says why the button does nothing now. */
  readonly blockedBy?: string | undefined
  readonly isQuiet?: boolean | undefined
  readonly onPress: () => void
}

/** A button of a message. Never `disabled`: it may have the focus and would lose it. */
export function ItemButton({ children, blockedBy, isQuiet, onPress }: ItemButtonProps): ReactElement {
  return (
    <button
      type="button"
      className={isQuiet ? 'petstore-button petstore-button-quiet' : 'petstore-button'}
      aria-disabled={blockedBy !== undefined}
      aria-describedby={blockedBy}
      // Ignores the second click of a double click: by then another button or message may be under the pointer.
      onClick={({ detail }) => void (detail < 2 && onPress())}
    >
      {children}
    </button>
  )
}
