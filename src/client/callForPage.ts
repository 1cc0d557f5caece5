import { createListeners } from '../base/listeners.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { Priority } from '../rate-limit/gate.ts'
import { callOperation, type CallOptions, type PetstoreClient } from './PetstoreClient.ts'

/**
 * Calls an operation for a page: with the priority `user` if somebody who looks at the page waits for the result, else in the
 * background. When the page becomes active, the same call with the priority `user` joins the waiting GET and makes it urgent.
 * After a mutation has ended meanwhile, it cannot join, and sends a request of its own.
 */
export function callForPage<Input, Output>(
  client: PetstoreClient,
  operation: Operation<Input, Output>,
  input: Input | undefined,
  isAwaited: boolean,
  { signal, onWait }: CallOptions,
): Promise<Output> {
  // Without a document, as on servers and in React Native, the app is always active.
  const page = typeof document === 'undefined' ? undefined : (watchedPage ??= watchPage())
  const call = (priority: Priority, notify?: CallOptions['onWait']) =>
    callOperation(client, operation, input, { signal, priority, onWait: notify })
  const isUrgent = isAwaited && page?.isActive() !== false
  const mayBecomeUrgent = isAwaited && !isUrgent && operation.method === 'GET'
  const stopWatching = mayBecomeUrgent ? page?.subscribe(() => void call('user').catch(() => {})) : undefined
  return call(isUrgent ? 'user' : 'background', onWait).finally(stopWatching)
}

let watchedPage: ReturnType<typeof watchPage> | undefined

/** Whether a person looks at the page. It listens: no browser says later whether a window has ever had the focus. */
function watchPage() {
  const listeners = createListeners()
  let isBlurred = false
  /** `false` in a hidden tab, and after the window has lost the focus. A window that has never had the focus is active. */
  const isActive = () => !isBlurred && document.visibilityState === 'visible'
  const notify = () => {
    if (isActive()) listeners.call()
  }
  const setBlurred = (blurred: boolean) => {
    isBlurred = blurred
    notify()
  }
  // Moving the focus into an iframe blurs the window, but `document.hasFocus()` stays true.
  addEventListener('blur', () => setBlurred(!document.hasFocus()))
  addEventListener('focus', () => setBlurred(false))
  document.addEventListener('visibilitychange', notify)
  return { isActive, subscribe: listeners.add }
}
