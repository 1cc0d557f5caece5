import type { ReactElement } from 'react'

interface ItemButtonProps {
  readonly children: string
  /** Id of the text that says why the button does nothing now. */
  readonly blockedBy?: string | undefined
  readonly isQuiet?: boolean | undefined
  /** The keys that do the same. */
  readonly keys?: string | undefined
  /** Id of the element that it opens and closes. */
  readonly controls?: string | undefined
  readonly isExpanded?: boolean | undefined
  readonly onPress: () => void
}

/** A button of a message. Never `disabled`: it may have the focus and would lose it. */
export function ItemButton(props: ItemButtonProps): ReactElement {
  const { children, blockedBy, isQuiet, keys, controls, isExpanded, onPress } = props
  return (
    <button
      type="button"
      className={isQuiet ? 'petstore-button petstore-button-quiet' : 'petstore-button'}
      aria-disabled={blockedBy !== undefined}
      aria-describedby={blockedBy}
      aria-keyshortcuts={keys}
      aria-controls={controls}
      aria-expanded={isExpanded}
      // Ignores the second click of a double click: by then another button or message may be under the pointer.
      onClick={({ detail }) => void (detail < 2 && onPress())}
    >
      {children}
    </button>
  )
}
