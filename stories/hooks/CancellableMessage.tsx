import { type ReactElement, useState } from 'react'
import { useSendMessage, type WaitReason } from '../../src/index.ts'

const reasons: Readonly<Record<WaitReason, string>> = {
  'rate-limit': 'Waiting for the request limit.',
  connection: 'Cannot reach the service.',
  service: 'The service has a problem.',
  'other-tabs': 'Waiting for other tabs.',
}

/**
 * Sends a message with `useSendMessage`, and cancels it while it waits or is sent. One button does both: it keeps the focus.
 */
export function CancellableMessage(): ReactElement {
  const { trigger, cancel, status, wait, error, isMutating } = useSendMessage()
  const [wasCanceled, setCanceled] = useState(false)

  function handleClick(): void {
    setCanceled(isMutating)
    if (isMutating) cancel()
    else void trigger({ message: 'Please feed the rabbits.' })
  }

  const statusText = {
    idle: wasCanceled ? 'Canceled. A request already on its way may still go through.' : '',
    sending: 'Sending…',
    waiting: wait && `${reasons[wait.reason]} Will be sent at ${new Date(wait.until).toLocaleTimeString()}.`,
    success: 'The service accepted the message.',
    error: error?.outcome === 'not-applied' ? 'Not sent.' : 'It may have been sent. Check before you send it again.',
  }
  return (
    <>
      <button type="button" onClick={handleClick}>
        {isMutating ? 'Cancel' : 'Ask for the rabbits to be fed'}
      </button>
      <output>{statusText[status]}</output>
    </>
  )
}
