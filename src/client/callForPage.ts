import { createListeners } from '../base/listeners.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { Priority } from '../rate-limit/gate.ts'
import { callOperation, type CallOptions, type PetstoreClient } from './PetstoreClient.ts'

/**
 * Calls an operation for a page, with the priority `user` if somebody who looks at it would wait for the result
 * (`isAwaited`) and the page is active. When it becomes active later, a second call with the priority `user` joins the
 * waiting GET and makes it urgent. If a mutation has ended meanwhile, that call cannot join and sends its own request.
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

/** Whether a person looks at the page. Listens to events: browsers do not tell whether a window has had the focus. */
function watchPage() {
  const listeners = createListeners()
  let isBlurred = false
  /** `false` in a hidden tab, and after the window has lost the focus. A window that never had it is active. */
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
