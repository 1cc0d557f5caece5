import { type ReactElement, useId, useState } from 'react'
import { useSecondsUntil } from '../useSecondsUntil.ts'
import { ItemButton } from './ItemButton.tsx'
import type { MessageText } from './messageText.ts'

interface MessageButtonsProps {
  readonly status: 'waiting' | 'failed' | 'unknown' | 'applied' | 'cancelled'
  /** Whether the field is empty. */
  readonly canEdit: boolean
  /** Not to be tried again before then (epoch ms). */
  readonly retryAt: number | undefined
  /** Id of the text that tells of the rate limit. */
  readonly adviceId: string
  readonly onRetry: () => void
  readonly onCancel: () => void
  readonly onEdit: () => void
  readonly onDiscard: () => void
  readonly words: MessageText
}

/** What can be done about a message. Renders each second while that has to wait. */
export function MessageButtons(props: MessageButtonsProps): ReactElement {
  const { status, canEdit, retryAt, adviceId, onRetry, onCancel, onEdit, onDiscard, words } = props
  const { labels, errors, format } = words
  const seconds = useSecondsUntil(retryAt)
  const [wantsEdit, setWantsEdit] = useState(false)
  const reasonId = useId()
  const isHeld = retryAt !== undefined && seconds !== 0
  const isEditable = status === 'failed' || status === 'cancelled'
  const isBlocked = isEditable && !canEdit

  function edit(): void {
    setWantsEdit(isBlocked)
    if (!isBlocked) onEdit()
  }

  if (status === 'waiting') {
    // A key, or the same button, with the focus on it, would become the one that tries again.
    return (
      <ItemButton key="cancel" onPress={onCancel}>
        {labels.cancel}
      </ItemButton>
    )
  }
  return (
    <>
      {status !== 'applied' && (
        <ItemButton blockedBy={isHeld ? adviceId : undefined} onPress={() => void (!isHeld && onRetry())}>
          {isEditable ? labels.retry : labels.retryAnyway}
        </ItemButton>
      )}
      {isEditable && (
        <ItemButton isQuiet blockedBy={isBlocked ? reasonId : undefined} onPress={edit}>
          {labels.edit}
        </ItemButton>
      )}
      <ItemButton isQuiet onPress={onDiscard}>
        {labels.discard}
      </ItemButton>
      {/* Beside the button: a name or a description that ticks would be spoken at each tick. */}
      {isHeld && seconds !== undefined && (
        <span className="petstore-hint">{errors.retryIn(format.duration(seconds * 1_000))}</span>
      )}
      {isBlocked && (
        <span id={reasonId} className={wantsEdit ? 'petstore-hint' : 'petstore-visually-hidden'}>
          {labels.editBlocked}
        </span>
      )}
    </>
  )
}
