import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { Contender } from './Contender.ts'
import { makeRows } from './rows.ts'

/** The functions of a page that take measurements. All times are in ms. */
export interface LongListPage {
  /** Mounts the list in its loading state. */
  readonly mountLoading: () => Promise<void>
  /**
   * The time from the data to the frame that shows the first row. After `mountLoading` the data arrive in the mounted list,
   * otherwise the list mounts with them.
   */
  readonly show: () => Promise<{ readonly paint: number }>
  /** The time of 20 frames that scroll by 400 px each. */
  readonly scroll: () => Promise<number>
  /** The time from the start of a keystroke's handling to the last frame that it changes. */
  readonly keystroke: () => Promise<number>
  /** Waits until the page is idle. */
  readonly settle: () => Promise<void>
}

declare global {
  interface Window {
    longList: LongListPage
  }
}

const channel = new MessageChannel()
const frameListeners: ((now: number) => void)[] = []
channel.port1.onmessage = () => {
  for (const resolve of frameListeners.splice(0)) resolve(performance.now())
}

/** Resolves with the time when the next frame is done, including styles, layout and paint. */
function nextFrame(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      frameListeners.push(resolve)
      channel.port2.postMessage(0)
    })
  })
}

async function settle(): Promise<void> {
  for (let count = 0; count < 30; count += 1) await nextFrame()
}

export function measure({ App, deliver }: Contender): void {
  const rows = makeRows(100_000)
  const container = document.querySelector('main')
  if (!container) throw new Error('The page has no main.')
  const root = createRoot(container)
  const isShown = () => {
    const name = document.querySelector('.petstore-category-list-name')
    return name?.textContent === rows[0]?.name && name?.checkVisibility({ visibilityProperty: true }) === true
  }

  let isLoading = false
  let changedAt = 0
  new MutationObserver(() => (changedAt = performance.now())).observe(container, {
    subtree: true,
    childList: true,
    characterData: true,
  })
  let lastKeystroke = Promise.resolve(0)
  addEventListener('keydown', () => (lastKeystroke = measureKeystroke(performance.now())), { capture: true })

  async function measureKeystroke(pressedAt: number): Promise<number> {
    let painted = pressedAt
    // Stops after three frames without a change.
    for (let quietFrames = 0; quietFrames < 3; quietFrames += 1) {
      const at = await nextFrame()
      if (changedAt > painted) {
        painted = at
        quietFrames = 0
      }
    }
    return painted - pressedAt
  }

  window.longList = {
    mountLoading: async () => {
      isLoading = true
      root.render(<App rows={undefined} />)
      await settle()
    },
    show: async () => {
      await nextFrame()
      const start = await nextFrame()
      // Synchronously: React would otherwise render in a later task, and so in a later frame.
      if (isLoading && deliver) deliver(rows)
      else flushSync(() => root.render(<App rows={rows} />))
      let paint: number
      do paint = await nextFrame()
      while (!isShown())
      return { paint: paint - start }
    },
    scroll: async () => {
      const boxes = [...document.querySelectorAll('*')].filter(
        (element) => element.scrollHeight > element.clientHeight && getComputedStyle(element).overflowY !== 'hidden',
      )
      const box = boxes.find((element) => getComputedStyle(element).overflowY === 'auto') ?? document.documentElement
      const start = await nextFrame()
      let end = start
      for (let count = 0; count < 20; count += 1) {
        box.scrollTop += 400
        end = await nextFrame()
      }
      return end - start
    },
    keystroke: () => lastKeystroke,
    settle,
  }
}
