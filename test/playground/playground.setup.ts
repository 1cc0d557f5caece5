import { type Browser, type BrowserContext, chromium, type FrameLocator, type Locator, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { chromiumLaunchOptions } from '../chromium.ts'
import { storyFinished } from './showStory.ts'

/** The beginnings of warnings that are no failure: Storybook or a docs page causes them. */
const ignoredWarnings = [
  "The 'ariaLabel' prop on 'PopoverProvider'", // its zoom menu
  'An invalid form control', // a story submits an empty field while the page does not show it yet
  'Ignored Storybook channel message from a window that is not a registered', // a page that closed before it had loaded
]

export const home: string = inject('playground')

export interface Playground {
  readonly page: Page
  /** The frame below the toolbar. */
  readonly story: FrameLocator
}

interface PlaygroundBrowser {
  /** Known once the tests run. */
  readonly context: () => BrowserContext
  /** Allows requests to an origin besides the playground until the test ends. */
  readonly allow: (origin: string) => void
  /** Opens a page that closes with the test. */
  readonly open: (address?: string) => Promise<Playground>
  /** The same, with a story. Resolves when its play function has ended, which would disturb what follows. */
  readonly openWithStory: (storyId: string) => Promise<Playground>
}

/**
 * Starts a browser for the tests of a file. A test fails if a page requests anything from elsewhere, writes an error or a
 * warning to the console, or has a service worker.
 */
export function startBrowser(): PlaygroundBrowser {
  let browser: Browser
  let context: BrowserContext
  let openedPages: Page[] = []
  /** The addresses outside of the playground that a page requested. */
  let foreignRequests: string[] = []
  /** The errors and warnings in the console of all pages. */
  let complaints: string[] = []
  let allowed: string[] = []

  beforeAll(async () => {
    const built = fetch(home) // the first request starts the build (serve.ts)
    const { args = [], ...options } = await chromiumLaunchOptions()
    // Keeps pages from other hosts. Routes of Playwright, which could too, would switch off the browser's cache.
    const onlyThisMachine = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'
    browser = await chromium.launch({ ...options, args: [...args, onlyThisMachine] })
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(60_000)
    context.on('request', (request) => {
      const url = request.url()
      if (!/^(data|blob|about):/.test(url) && ![home, ...allowed].some((start) => url.startsWith(start)))
        foreignRequests.push(url)
    })
    context.on('page', (page) => {
      page.on('websocket', (socket) => foreignRequests.push(socket.url()))
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => {
        if (message.type() !== 'error' && message.type() !== 'warning') return
        if (!ignoredWarnings.some((start) => message.text().startsWith(start))) complaints.push(message.text())
      })
    })
    await built
  }, 300_000) // a busy machine takes minutes to build the playground

  afterAll(async () => {
    await browser.close()
  })

  afterEach(async () => {
    await Promise.all(openedPages.map((page) => page.close()))
    const problems = [...foreignRequests, ...complaints, ...context.serviceWorkers().map((worker) => worker.url())]
    openedPages = []
    foreignRequests = []
    complaints = []
    allowed = []
    if (problems.length > 0) throw new Error(`Foreign requests, complaints or service workers:\n${problems.join('\n')}`)
  })

  async function open(address = home): Promise<Playground> {
    const page = await context.newPage()
    openedPages.push(page)
    await page.goto(address)
    return { page, story: page.frameLocator('#storybook-preview-iframe') }
  }

  async function openWithStory(storyId: string): Promise<Playground> {
    const playground = await open(`${home}?path=/story/${storyId}`)
    await storyFinished(playground.story, storyId)
    return playground
  }

  return { context: () => context, allow: (origin) => allowed.push(origin), open, openWithStory }
}

/** Resolves when the element is visible. */
export const isSeen = (element: Locator): Promise<boolean> => element.waitFor().then(() => true)

/** A text of the story itself: the live region below it announces some of the same texts. */
export const textIn = (story: FrameLocator | Page, text: string | RegExp): Locator =>
  story.locator('#storybook-root').getByText(text)

/** Chooses an item of a menu in the toolbar. */
export async function choose({ page }: Playground, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${menu}:`) }).click()
  await page.getByRole('option', { name: item }).click()
}

/** Opens a story by its link in the sidebar. Resolves when its play function has ended, which would disturb what follows. */
export async function openInSidebar(
  { page, story: frame }: Playground,
  component: string,
  story: string,
): Promise<void> {
  const id = `${component}--${story}`.toLowerCase()
  const link = page.locator(`[data-item-id="${id}"] a`)
  const expandAll = page.locator('[data-item-id="components"]').getByRole('button', { name: 'Expand all' })
  await expandAll.or(link).first().waitFor()
  if (!(await link.isVisible())) await expandAll.click()
  await link.click()
  await page.waitForURL((url) => url.searchParams.get('path') === `/story/${id}`)
  await storyFinished(frame, id) // the address changes before the story
}

/** A heading of a docs page. Its accessible name also has a link that copies its address. */
export const heading = ({ story }: Playground, text: string) =>
  story
    .locator('#storybook-docs')
    .locator('h1, h2, h3')
    .filter({ hasText: new RegExp(`^${text.replaceAll(/[()]/g, String.raw`\$&`)}$`) })

/** For a heading that moves while stories above it are still loading. */
export const longTimeout = { timeout: 60_000 }

/** Whether all of an element is in sight. Runs in the page. */
export function isInView(element: HTMLElement | SVGElement): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top > -1 && bottom <= innerHeight // a fraction of a pixel may be above
}
