import type { ReactElement } from 'react'
import { createRoot } from 'react-dom/client'

declare global {
  interface Window {
    /** When the rows were on the screen, in ms since the navigation began. */
    painted: number | undefined
  }
}

const rows = 30

/** Renders a contender, notes when its rows were painted, and says so to the console. */
export function render(page: ReactElement): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no root.')
  const observer = new MutationObserver(() => {
    if (root.querySelectorAll('li').length < rows) return
    observer.disconnect()
    // The task after a frame begins when it has been painted.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        window.painted = performance.now()
        console.info('painted')
      }
      port2.postMessage(undefined)
    })
  })
  observer.observe(root, { childList: true, subtree: true })
  createRoot(root).render(page)
}
