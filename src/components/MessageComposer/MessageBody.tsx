import { type ReactElement, type RefObject, useId, useState } from 'react'
import { classNames } from '../classNames.ts'
import { RestoreFocus } from '../RestoreFocus.tsx'
import type { ItemView } from './ComposerView.ts'
import { ItemButton } from './ItemButton.tsx'

interface MessageBodyProps extends ItemView {
  readonly itemRef: RefObject<HTMLElement | null>
}

/** The text of a message. Only the first lines of a long one, until a person wants to see all of it. */
export function MessageBody({ message, renderText, itemRef, labels, slots }: MessageBodyProps): ReactElement {
  const { text } = message
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  // What the app renders may be of any height, and may contain controls.
  const isLong = !renderText && isLongText(text)
  return (
    <>
      <RestoreFocus
        fallbackRef={itemRef}
        id={id}
        dir="auto"
        data-clamped={(isLong && !isOpen) || undefined}
        className={classNames('petstore-message-composer-text', slots.text)}
      >
        {renderText ? renderText(text) : text}
      </RestoreFocus>
      {isLong && (
        <div className="petstore-message-composer-buttons">
          <ItemButton isQuiet controls={id} isExpanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
            {isOpen ? labels.showLess : labels.showAll}
          </ItemButton>
        </div>
      )}
    </>
  )
}

/** More than the six lines that are shown, in any but the widest columns. Without a look at the layout, as on a server. */
function isLongText(text: string): boolean {
  return text.length > 1_000 || text.split('\n', 10).length > 8
}
