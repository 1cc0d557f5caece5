import type { ReactElement, ReactNode } from 'react'
import { classNames } from '../classNames.ts'
import { Countdown } from '../Countdown.tsx'
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
        <svg className="petstore-message-composer-icon" viewBox="0 0 16 16" aria-hidden="true">
          <path d={icons[state.status]} />
        </svg>
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
      <Countdown until={state.until} format={format}>
        {labels.waiting}
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

const circle = 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0'

/** Each state has its own shape, so that color is not the only difference. */
const icons: Readonly<Record<OutboxState['status'], string>> = {
  sending: 'M8 13V3M4 7l4-4 4 4',
  waiting: `${circle}M8 5v3l2 1.5`,
  accepted: 'M3 8.5l3.5 3.5L13 4.5',
  failed: `${circle}M8 5v3.5M8 11v.01`,
  unknown: `${circle}M6.5 6.5a1.5 1.5 0 1 1 2 1.4c-.3.1-.5.4-.5.8M8 11v.01`,
  applied: `${circle}M5.5 8.5l1.7 1.7 3.3-4`,
  cancelled: `${circle}M4 12l8-8`,
}
