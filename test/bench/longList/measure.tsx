import type { ComponentType } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { Category, CategoryId } from '../../../src/index.ts'

/** A way to show a list of categories. Each is a page of its own. */
interface Contender {
  /** `rows` is `undefined` while the data load. */
  readonly App: ComponentType<{ readonly rows: readonly Category[] | undefined }>
  /** Delivers the rows, where they do not arrive as a prop. */
  readonly deliver?: (rows: readonly Category[]) => void
}

/** The functions of a page that take measurements. All times are in ms. */
export interface LongListPage {
  /** Mounts the list in its loading state. */
  readonly mountLoading: () => Promise<void>
  /**
   * The time from the data to the frame that shows the first row. After `mountLoading` the data arrive in the mounted list,
   * otherwise the list mounts with them.
   */
  readonly show: () => Promise<number>
  /** The time from the start of a keystroke's handling to the last frame that it changes. */
  readonly keystroke: () => Promise<number>
  /** Waits for 30 frames, in which the page becomes idle. */
  readonly settle: () => Promise<void>
}

declare global {
  interface Window {
    longList: LongListPage
  }
}

const kinds = ['Dog', 'Cat', 'Rabbit', 'Hamster', 'Canary', 'Tortoise', 'Goldfish', 'Ferret', 'Gecko', 'Pony']
const traits = ['Loyal, and always hungry', 'Owns the place', 'Soft ears, sharp teeth', 'Talks back', 'Sleeps all day']

/** The same rows each time, two thirds with a description. Each text is its own string, as in a parsed response. */
function makeRows(count: number): readonly Category[] {
  const rows = Array.from({ length: count }, (_, index) => {
    const row = { id: String(index + 1) as CategoryId, name: `${kinds[index % kinds.length]} ${index + 1}` }
    return index % 3 === 2 ? row : { ...row, description: `${traits[index % traits.length]}, number ${index + 1}` }
  })
  return JSON.parse(JSON.stringify(rows)) as Category[]
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
      return paint - start
    },
    keystroke: () => lastKeystroke,
    settle,
  }
}
