import { type ReactElement, useId, useState } from 'react'
import { useSecondsUntil } from '../useSecondsUntil.ts'
import { ItemButton } from './ItemButton.tsx'
import type { ComposerCatalog } from './messageText.ts'

interface MessageButtonsProps {
  readonly status: 'waiting' | 'failed' | 'unknown' | 'applied' | 'cancelled'
  /** Whether the field is empty. */
  readonly canEdit: boolean
  /** No retry before then (epoch ms). */
  readonly retryAt: number | undefined
  /** Id of the text that explains the rate limit. */
  readonly adviceId: string
  readonly onRetry: () => void
  readonly onCancel: () => void
  readonly onEdit: () => void
  readonly onDiscard: () => void
  readonly catalog: ComposerCatalog
}

/** What a person can do about a message. Re-renders each second while a retry has to wait. */
export function MessageButtons(props: MessageButtonsProps): ReactElement {
  const { status, canEdit, retryAt, adviceId, onRetry, onCancel, onEdit, onDiscard, catalog } = props
  const { labels, errors, format } = catalog
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
    // Without a key React would reuse this button, and its focus, for "Try again".
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
      {/* Not in the button's name or description: screen readers would speak every tick. */}
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
