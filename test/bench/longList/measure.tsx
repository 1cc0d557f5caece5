import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { Contender } from './Contender.ts'
import { makeRows } from './rows.ts'

/** What a page offers to the one who measures. All times are in ms. */
export interface LongListPage {
  /** A page that waits for its data. */
  readonly wait: () => Promise<void>
  /**
   * From the data to the frame that shows the first row, and to the frame in which everything is loaded: in a page that
   * waits for them, or in one that has nothing yet.
   */
  readonly show: () => Promise<{ readonly paint: number; readonly ready: number }>
  /** 20 frames, each scrolled on by most of a screen. */
  readonly scroll: () => Promise<number>
  /** From the start of a keystroke's handling to the last frame that it changes. */
  readonly typed: () => Promise<number>
  /** Until nothing is done any more. */
  readonly settle: () => Promise<void>
}

declare global {
  interface Window {
    longList: LongListPage
  }
}

const channel = new MessageChannel()
const waiting: ((now: number) => void)[] = []
channel.port1.onmessage = () => {
  for (const resolve of waiting.splice(0)) resolve(performance.now())
}

/** When the next frame is done: styles, layout and paint included. */
function frame(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      waiting.push(resolve)
      channel.port2.postMessage(0)
    })
  })
}

async function settle(): Promise<void> {
  for (let count = 0; count < 30; count += 1) await frame()
}

export function measure({ App, give, isReady = () => true }: Contender): void {
  const rows = makeRows(100_000)
  const container = document.querySelector('main')
  if (!container) throw new Error('The page has no main.')
  const root = createRoot(container)
  const isShown = () => {
    const name = document.querySelector('.petstore-category-list-name')
    return name?.textContent === rows[0]?.name && name?.checkVisibility({ visibilityProperty: true }) === true
  }

  let isWaiting = false
  let changedAt = 0
  new MutationObserver(() => (changedAt = performance.now())).observe(container, {
    subtree: true,
    childList: true,
    characterData: true,
  })
  let keystroke = Promise.resolve(0)
  addEventListener('keydown', () => (keystroke = followKeystroke(performance.now())), { capture: true })

  async function followKeystroke(pressedAt: number): Promise<number> {
    let painted = pressedAt
    // Until nothing has changed for some frames.
    for (let quiet = 0; quiet < 3; quiet += 1) {
      const at = await frame()
      if (changedAt > painted) {
        painted = at
        quiet = 0
      }
    }
    return painted - pressedAt
  }

  window.longList = {
    wait: async () => {
      isWaiting = true
      root.render(<App rows={undefined} />)
      await settle()
    },
    show: async () => {
      await frame()
      const start = await frame()
      // At once: React would else wait for a task of its own, and so for another frame.
      if (isWaiting && give) give(rows)
      else flushSync(() => root.render(<App rows={rows} />))
      let paint: number
      do paint = await frame()
      while (!isShown())
      let ready = paint
      while (!isReady()) ready = await frame()
      return { paint: paint - start, ready: ready - start }
    },
    scroll: async () => {
      const boxes = [...document.querySelectorAll('*')].filter(
        (element) => element.scrollHeight > element.clientHeight && getComputedStyle(element).overflowY !== 'hidden',
      )
      const box = boxes.find((element) => getComputedStyle(element).overflowY === 'auto') ?? document.documentElement
      const start = await frame()
      let end = start
      for (let count = 0; count < 20; count += 1) {
        box.scrollTop += 400
        end = await frame()
      }
      return end - start
    },
    typed: () => keystroke,
    settle,
  }
}
