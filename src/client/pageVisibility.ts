import { createListeners } from '../base/listeners.ts'

/** Whether the page is visible and its window has the focus. */
interface PageVisibility {
  /** `false` in a hidden tab, and after the window has lost the focus. A window that has never had the focus is active. */
  readonly isActive: () => boolean
  /** Calls `listener` when the page may have become active, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Listens from its first use on: no browser tells afterwards whether a window has ever had the focus. */
function watchPage(): PageVisibility {
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
  return { isActive, subscribe: listeners.add }
}

/** Without a document, as on servers and in React Native, the app is always active. */
const alwaysActive: PageVisibility = { isActive: () => true, subscribe: () => () => {} }

let shared: PageVisibility | undefined

/** The visibility of this page, watched from the first call on. */
export function pageVisibility(): PageVisibility {
  return (shared ??= typeof document === 'undefined' ? alwaysActive : watchPage())
}
