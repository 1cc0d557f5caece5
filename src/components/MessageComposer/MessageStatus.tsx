import type { ReactElement, ReactNode } from 'react'
import { classNames } from '../classNames.ts'
import { Countdown } from '../../hooks/useCountdown.tsx'
import { labelOfWait } from '../../labels/waitText.ts'
import { Icon, alert, arrowUp, ban, check, checkCircle, question } from '../Icon.tsx'
import { waitIcons } from '../waitIcons.ts'
import type { ItemView } from './ComposerView.ts'
import { type ComposerCatalog, messageText } from './messageText.ts'
import type { OutboxState } from './outbox.ts'

/** The line with the state and the time of a message. */
export function MessageStatus(view: ItemView): ReactElement {
  const { message, format, slots } = view
  const { state } = message
  const time = state.status === 'accepted' ? Date.parse(state.response.createdAt) : message.at
  return (
    <div className={classNames('petstore-message-composer-status', slots.status)}>
      <span className="petstore-message-composer-state">
        <Icon
          path={state.status === 'waiting' ? waitIcons[state.waitReason] : icons[state.status]}
          className="petstore-message-composer-icon"
        />
        <span>{statusText(state, view)}</span>
      </span>
      <time dateTime={new Date(time).toISOString()}>{format.time(time)}</time>
    </div>
  )
}

function statusText(state: OutboxState, catalog: ComposerCatalog): ReactNode {
  const { labels, format } = catalog
  if (state.status === 'waiting') {
    return (
      <Countdown until={state.retryAt} format={format}>
        {labelOfWait(labels.waiting, state)}
      </Countdown>
    )
  }
  if (state.status !== 'accepted' || state.response.status === 'queued') return messageText(state, catalog)
  return (
    <>
      {labels.accepted} <bdi dir="auto">{state.response.status}</bdi>
    </>
  )
}

/** Each state has its own shape, so that color is not the only difference. */
const icons = {
  sending: arrowUp,
  accepted: check,
  failed: alert,
  unknown: question,
  applied: checkCircle,
  cancelled: ban,
} satisfies Readonly<Record<Exclude<OutboxState['status'], 'waiting'>, string>>
