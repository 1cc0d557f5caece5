import { createListeners } from '../base/listeners.ts'

/** Listens from its first use on: no browser tells afterwards whether a window has ever had the focus. */
function watchPage() {
  const listeners = createListeners()
  let isBlurred = false
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
  return {
    /** `false` in a hidden tab, and after the window has lost the focus. A window that has never had the focus is active. */
    isActive,
    /** Calls `listener` when the page may have become active, until the returned function is called. */
    subscribe: listeners.add,
  }
}

/** Without a document, as on servers and in React Native, the app is always active. */
const alwaysActive: ReturnType<typeof watchPage> = { isActive: () => true, subscribe: () => () => {} }

let shared: typeof alwaysActive | undefined

/** Whether a person is looking at this page, watched from the first call on. */
export function pageActivity(): typeof alwaysActive {
  return (shared ??= typeof document === 'undefined' ? alwaysActive : watchPage())
}
