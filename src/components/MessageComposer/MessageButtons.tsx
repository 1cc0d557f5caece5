import { type ReactElement, useId, useState } from 'react'
import { isPetstoreError } from '../../client/errors.ts'
import { useSecondsUntil } from '../../hooks/useCountdown.tsx'
import { waitText } from '../../labels/waitText.ts'
import type { ItemView } from './ComposerView.ts'
import { ItemButton } from './ItemButton.tsx'
import { editable } from './outbox.ts'

interface MessageButtonsProps extends ItemView {
  /** Id of the text that says why a retry has to wait. */
  readonly adviceId: string
}

/** What a person can do about a message. Re-renders each second while a retry has to wait. */
export function MessageButtons(props: MessageButtonsProps): ReactElement {
  const { message, store, delivery, fieldRef, canEdit, labels, errors, format, adviceId } = props
  const { id, state } = message
  const { status } = state
  const error = 'error' in state ? state.error : undefined
  // A retry through another client has another rate limit.
  const isRefused = isPetstoreError(error) && 'retryAt' in error && message.client === delivery.client
  const retryAt = isRefused ? error.retryAt : undefined
  const seconds = useSecondsUntil(retryAt)
  const [wantsEdit, setWantsEdit] = useState(false)
  const reasonId = useId()
  const isHeld = retryAt !== undefined && seconds !== 0
  const isEditable = editable.includes(status)
  const isBlocked = isEditable && !canEdit

  function edit(): void {
    setWantsEdit(isBlocked)
    if (isBlocked) return
    fieldRef.current?.focus()
    store.edit(id)
  }

  if (status === 'waiting') {
    // Without a key React would reuse this button, and its focus, for "Try again".
    return (
      <ItemButton key="cancel" onPress={() => store.cancel(id)}>
        {labels.cancel}
      </ItemButton>
    )
  }
  return (
    <>
      {status !== 'applied' && (
        <ItemButton
          blockedBy={isHeld ? adviceId : undefined}
          onPress={() => void (!isHeld && store.retry(id, delivery))}
        >
          {isEditable ? labels.retry : labels.retryAnyway}
        </ItemButton>
      )}
      {isEditable && (
        <ItemButton isQuiet blockedBy={isBlocked ? reasonId : undefined} onPress={edit}>
          {labels.edit}
        </ItemButton>
      )}
      <ItemButton isQuiet onPress={() => store.discard(id)}>
        {labels.discard}
      </ItemButton>
      {/* Not in the button's name or description: screen readers would speak every tick. */}
      {isHeld && seconds !== undefined && (
        <span className="petstore-hint">{waitText(errors.retryIn, retryAt, format, seconds)}</span>
      )}
      {isBlocked && (
        <span id={reasonId} className={wantsEdit ? 'petstore-hint' : 'petstore-visually-hidden'}>
          {labels.editBlocked}
        </span>
      )}
    </>
  )
}
