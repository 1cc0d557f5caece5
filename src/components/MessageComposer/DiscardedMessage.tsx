import { type ReactElement, type RefObject, useEffect } from 'react'
import { focusTemporarily } from '../RestoreFocus.tsx'
import type { ItemView } from './ComposerView.ts'
import { ItemButton } from './ItemButton.tsx'

/** How long a message can be brought back, in ms. */
const undoTime = 8_000

interface DiscardedMessageProps extends ItemView {
  readonly itemRef: RefObject<HTMLElement | null>
}

/** Takes the place of a message for a while, and longer if a person is there. */
export function DiscardedMessage({ message, store, fieldRef, itemRef, labels }: DiscardedMessageProps): ReactElement {
  const { id } = message

  useEffect(() => {
    const timer = setInterval(() => {
      const item = itemRef.current
      // A press with the mouse leaves the focus here too: only one that is visible keeps the message.
      if (item?.matches(':hover, :focus-visible') || item?.querySelector(':focus-visible')) return
      if (item?.matches(':focus-within')) focusTemporarily(item.nextElementSibling ?? fieldRef.current)
      store.remove(id)
    }, undoTime)
    return () => clearInterval(timer)
  }, [store, id, itemRef, fieldRef])

  return (
    <>
      {labels.discarded}
      <ItemButton keys="Control+Z Meta+Z" onPress={() => void store.restore(id)}>
        {labels.undo}
      </ItemButton>
    </>
  )
}
