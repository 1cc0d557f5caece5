import { type ReactElement, useState } from 'react'
import { useSendMessage } from '../../src/index.ts'

/**
 * `useSendMessage` behind one button, which sends, and cancels what is under way or held back. One button for both, so
 * that the focus has nowhere to get lost.
 */
export function CancellableMessage(): ReactElement {
  const { trigger, cancel, status, retryAt, error, isMutating } = useSendMessage({ throwOnError: false })
  const [wasCancelled, setCancelled] = useState(false)

  function press(): void {
    setCancelled(isMutating)
    if (isMutating) cancel()
    else void trigger({ message: 'Please feed the rabbits.' })
  }

  const words = {
    idle: wasCancelled ? 'Cancelled. What had left already may arrive all the same.' : '',
    sending: 'Sending…',
    waiting: `Too many requests. Leaves at ${new Date(retryAt ?? 0).toLocaleTimeString()}.`,
    success: 'The service has taken it.',
    error:
      error?.outcome === 'not-applied' ? 'It was not sent.' : 'It may have been sent: look before you send it again.',
  }
  return (
    <>
      <button type="button" onClick={press}>
        {isMutating ? 'Cancel' : 'Have the rabbits fed'}
      </button>
      <output>{words[status]}</output>
    </>
  )
}
