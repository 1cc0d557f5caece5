import { createListeners } from '../base/listeners.ts'

/** Whether a person may be looking at the page, as far as its window tells. */
interface Sight {
  /** `false` in a hidden tab, and in a window that has lost the focus. A window that never had it counts as seen. */
  readonly isSeen: () => boolean
  /** Calls `listener` when the page comes into sight, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Hears of the window from the first use on, since nothing tells later whether it has had the focus. */
function createSight(): Sight {
  const listeners = createListeners()
  let isBlurred = false
  const isSeen = () => !isBlurred && document.visibilityState === 'visible'
  const change = (blurred: boolean) => () => {
    isBlurred = blurred
    if (isSeen()) listeners.call()
  }
  // An iframe of the page takes the focus of its window, but not of its document.
  addEventListener('blur', () => change(!document.hasFocus())())
  addEventListener('focus', change(false))
  document.addEventListener('visibilitychange', () => {
    if (isSeen()) listeners.call()
  })
  return { isSeen, subscribe: listeners.add }
}

/** Outside of a page, as in React Native, nobody can tell. */
const always: Sight = { isSeen: () => true, subscribe: () => () => {} }

let sight: Sight | undefined

/** The sight of this page. */
export function sightOfPage(): Sight {
  return (sight ??= typeof document === 'undefined' ? always : createSight())
}
