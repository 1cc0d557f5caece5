import { type Browser, type BrowserContext, chromium, type FrameLocator, type Locator, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type ScenarioName, scenarios } from '../../.storybook/scenarios.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { chromiumLaunchOptions } from '../chromium.ts'
import { openStory, showStory, storyFinished } from './showStory.ts'

/** The beginnings of warnings that Storybook causes itself. */
const ownWarnings = [
  "The 'ariaLabel' prop on 'PopoverProvider'", // its zoom menu
  'Ignored Storybook channel message from a window that is not a registered', // a page that closed before it had loaded
]

const home = inject('playground')
let browser: Browser
let context: BrowserContext
/** The addresses outside of the playground that a page requested. */
let foreignRequests: string[] = []
/** The errors and warnings in the console of all pages. */
let complaints: string[] = []
/** The origins that a page may request besides the playground. */
let allowed: string[] = []
/** Shows one story after the other, for tests that are not about the page around the story. */
let storyPage: Page

beforeAll(async () => {
  const built = fetch(home)
  const { args = [], ...options } = await chromiumLaunchOptions()
  // Only this machine has a name. Routes of Playwright would switch off the browser's cache.
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
      if (!ownWarnings.some((start) => message.text().startsWith(start))) complaints.push(message.text())
    })
  })
  await built
  storyPage = await context.newPage()
  await openStory(storyPage, home, 'ratelimitbadge--unknown')
}, 300_000) // a busy machine takes minutes to build the playground

afterAll(async () => {
  await browser.close()
})

afterEach(async () => {
  await storyPage.evaluate(() => localStorage.clear())
  const otherPages = context.pages().filter((page) => page !== storyPage)
  await Promise.all(otherPages.map((page) => page.close()))
  const problems = [...foreignRequests, ...complaints, ...context.serviceWorkers().map((worker) => worker.url())]
  foreignRequests = []
  complaints = []
  allowed = []
  if (problems.length > 0) throw new Error(`Foreign requests, complaints or service workers:\n${problems.join('\n')}`)
})

/** Resolves when the element is visible. */
const isSeen = (element: Locator) => element.waitFor().then(() => true)

/** A text of the story itself: the live region below it announces some of the same texts. */
const textIn = (story: FrameLocator | Page, text: string | RegExp) => story.locator('#storybook-root').getByText(text)

interface Playground {
  readonly page: Page
  /** The frame below the toolbar. */
  readonly story: FrameLocator
}

async function open(address = home): Promise<Playground> {
  const page = await context.newPage()
  await page.goto(address)
  return { page, story: page.frameLocator('#storybook-preview-iframe') }
}

/** Opens the playground with a story. Resolves when its play function has ended, which would disturb what follows. */
async function openPlayground(storyId: string): Promise<Playground> {
  const playground = await open(`${home}?path=/story/${storyId}`)
  await storyFinished(playground.story, storyId)
  return playground
}

/** Chooses an item of a menu in the toolbar. */
async function choose({ page }: Playground, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${menu}:`) }).click()
  await page.getByRole('option', { name: item }).click()
}

/** Opens a story by its link in the sidebar. */
async function openInSidebar({ page, story: frame }: Playground, component: string, story: string): Promise<void> {
  const id = `${component}--${story}`.toLowerCase()
  const link = page.locator(`[data-item-id="${id}"] a`)
  const expandAll = page.locator('[data-item-id="components"]').getByRole('button', { name: 'Expand all' })
  await expandAll.or(link).first().waitFor()
  if (!(await link.isVisible())) await expandAll.click()
  await link.click()
  await page.waitForURL((url) => url.searchParams.get('path') === `/story/${id}`)
  await storyFinished(frame, id) // the address changes before the story
}

const root = (story: FrameLocator) =>
  story.locator('body').evaluate(({ ownerDocument: { documentElement: html } }) => ({
    lang: html.lang,
    dir: html.dir,
    theme: html.dataset['theme'],
  }))

test('opens from any folder of any server, without a request to another', async () => {
  const { story } = await open()
  await story.getByRole('textbox', { name: 'Name' }).first().waitFor()
  expect(await isSeen(story.getByText('Mock service').first())).toBe(true)
})

test('a designer’s choices show at once, and wherever the address is opened', async () => {
  const playground = await open()
  await openInSidebar(playground, 'CategoryList', 'Default')
  await textIn(playground.story, 'Rabbit').waitFor()
  // Each menu shows its own name until an item is chosen.
  const menus = ['Scenario', 'Plan', 'Address', 'Theme', 'Density', 'Language', 'Direction', 'Width']
  for (const menu of menus) await playground.page.getByRole('button', { name: menu }).getByText(menu).waitFor()

  await choose(playground, 'Scenario', 'No categories')
  await textIn(playground.story, 'No categories yet').waitFor()
  await choose(playground, 'Theme', 'Dark')
  await choose(playground, 'Language', 'العربية')
  await textIn(playground.story, 'لا توجد فئات بعد').waitFor()
  expect(await root(playground.story)).toEqual({ lang: 'ar', dir: 'rtl', theme: 'dark' })
  const background = await playground.story.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
  expect(background).toBe('rgb(15, 19, 26)')

  const colleague = await open(playground.page.url())
  await textIn(colleague.story, 'لا توجد فئات بعد').waitFor()
  expect(await root(colleague.story)).toEqual({ lang: 'ar', dir: 'rtl', theme: 'dark' })

  await choose(colleague, 'Direction', 'Left to right')
  await expect.poll(() => root(colleague.story)).toEqual({ lang: 'ar', dir: 'ltr', theme: 'dark' })

  // The choices apply to the next story, too.
  await openInSidebar(colleague, 'CategoryManager', 'Default')
  await colleague.story.getByRole('textbox', { name: 'الاسم' }).waitFor()
  await textIn(colleague.story, 'لا توجد فئات بعد').waitFor()
  expect(await root(colleague.story)).toEqual({ lang: 'ar', dir: 'ltr', theme: 'dark' })

  await choose(colleague, 'Scenario', 'Story default')
  await textIn(colleague.story, 'Rabbit').waitFor()
})

test('what is done in one story stays there', async () => {
  const playground = await openPlayground('categorymanager--default')
  const { story } = playground
  await story.getByRole('textbox', { name: 'Name' }).fill('Hamster')
  await story.getByRole('button', { name: 'Create category' }).click()
  await textIn(story, '6 categories').waitFor()
  await story.getByRole('listitem').filter({ hasText: 'Hamster' }).waitFor()

  await openInSidebar(playground, 'CategoryList', 'Default')
  await textIn(story, '5 categories').waitFor()
  expect(await textIn(story, 'Hamster').count()).toBe(0)
})

test('the stories of a docs page have a service each', async () => {
  const { story } = await open(`${home}?path=/docs/categorylist--docs&globals=theme:all`)
  const part = (name: string) => story.locator(`#story--categorylist--${name}, #story--categorylist--${name}--primary`)
  await part('failed').getByText('The service has a problem').waitFor()
  await part('empty').getByText('No categories yet').waitFor()
  await part('plain').getByText('Rabbit').waitFor()
  // Three frames for each of the stories would be too many.
  expect(await story.locator('.side-by-side').count()).toBe(0)
})

test('all themes side by side', async () => {
  const playground = await openPlayground('categorylist--single-selection')
  const { story } = playground
  await choose(playground, 'Theme', 'All side by side')
  for (const [title, theme, contrast] of [
    ['Light', 'light', 'usual'],
    ['Dark', 'dark', 'usual'],
    ['High contrast', 'light', 'more'],
  ] as const) {
    const frame = story.frameLocator(`iframe[title="${title}"]`)
    await storyFinished(frame, 'categorylist--single-selection')
    await frame.getByRole('radio', { name: 'Rabbit', checked: true }).waitFor()
    await frame.getByText('Cat', { exact: true }).click()
    await frame.getByRole('radio', { name: 'Cat', checked: true }).waitFor()
    const html = frame.locator('html')
    expect(await html.getAttribute('data-theme')).toBe(theme)
    expect(await html.getAttribute('data-petstore-contrast')).toBe(contrast)
    // Storybook's own tools, such as the one that measures, are off.
    expect(await frame.locator('canvas').count()).toBe(0)
  }
  expect(await story.locator('iframe').count()).toBe(3)
  expect(await story.getByRole('region', { name: 'Categories' }).count()).toBe(0)

  // In a new window nothing is played on the page around the frames, where it would fail.
  const reopened = await open(playground.page.url())
  await reopened.story
    .frameLocator('iframe[title="Dark"]')
    .getByRole('radio', { name: 'Rabbit', checked: true })
    .waitFor()
  await reopened.page.getByRole('tab', { name: 'Interactions' }).click()
  const panel = reopened.page.getByRole('tabpanel', { name: 'Interactions' })
  await panel.getByText('Write a play function').waitFor()
  await panel.getByText('Pass').waitFor()
})

test('a live service: chosen in the toolbar, and kept in the memory of the pages alone', async () => {
  const apiKey = 'a-key-that-nobody-may-see'
  const live = await listen(createPetstoreService({ keys: [apiKey], categories: [{ name: 'Axolotl' }] }))
  allowed = [live.origin]
  /** All messages on Storybook's channel, in all frames. */
  const messages: string[] = []
  await context.exposeFunction('recordMessage', (text: string) => messages.push(text))
  await context.addInitScript(() => {
    addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      if (text.includes('storybook-channel')) Reflect.get(globalThis, 'recordMessage')(text)
    })
  })
  const playground = await openPlayground('categorylist--default')
  const { page, story } = playground
  await textIn(story, 'Rabbit').waitFor()

  await page.getByRole('button', { name: 'Service: mock' }).click()
  await page.getByRole('textbox', { name: 'Base URL' }).fill(live.baseUrl)
  await page.getByLabel('API key (kept in memory only)').fill(apiKey)
  await page.getByRole('button', { name: 'Use this service' }).click()
  await textIn(story, 'Axolotl').waitFor()
  await textIn(story, 'Live service').waitFor()

  await choose(playground, 'Theme', 'All side by side')
  // Waits for all of them: the gate would wait for the response to a page that is closed.
  for (const title of ['Light', 'Dark', 'High contrast']) {
    await textIn(story.frameLocator(`iframe[title="${title}"]`), 'Axolotl').waitFor()
  }
  await choose(playground, 'Theme', 'Light')
  await openInSidebar(playground, 'CategoryList', 'Empty')
  await textIn(story, 'this story always uses the mock service').waitFor()
  await openInSidebar(playground, 'CategoryList', 'Default')
  await textIn(story, 'Axolotl').waitFor()

  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  const urls = page.frames().map((frame) => frame.url())
  expect(messages.length).toBeGreaterThan(0)
  for (const secret of [apiKey, new URL(live.baseUrl).host]) {
    expect([stored, page.url(), ...urls, ...messages].filter((text) => text.includes(secret))).toEqual([])
  }

  await page.getByRole('button', { name: `Service: ${live.baseUrl}` }).click()
  await page.getByRole('button', { name: 'Use mock service' }).click()
  await textIn(story, 'Rabbit').waitFor()
  await live.close()
})

describe('the scenario', () => {
  const details = (page: Page) => page.getByText('Details', { exact: true }).click()
  /** What CategoryList shows, in this order. A function does something in between. */
  const shows: Readonly<Record<ScenarioName, readonly (string | RegExp | ((page: Page) => Promise<void>))[]>> = {
    ok: ['5 categories', 'Rabbit'],
    slow: ['Loading categories…', (page) => page.clock.runFor(2_600), 'Rabbit'],
    empty: ['No categories yet'],
    one: ['1 category', 'Dog'],
    many: ['Showing 200 of 100,000'],
    'bad-request': ['That did not work', details, 'The name is not allowed here.'],
    unauthorized: ['Not signed in'],
    'rate-limited': [/^Rate limit reached\. Loading in 1\d seconds\.$/, (page) => page.clock.runFor(15_000), 'Rabbit'],
    'rate-limited-long': ['Too many requests', 'Try again in 30 minutes.'],
    'used-up': ['Too many requests', 'Try again in 6 hours.'],
    banned: ['Unexpected response', details, 'The API key is banned for the time being.'],
    offline: ['No connection'],
    malformed: ['Unreadable response'],
    'lost-response': ['No connection'],
    'stale-then-error': [
      'Rabbit',
      (page) => page.getByRole('button', { name: 'Refresh' }).click(),
      'The service has a problem',
      'Rabbit',
    ],
  }

  beforeAll(() => storyPage.clock.install())

  test.each(Object.entries(shows))('%s', async (scenario, steps) => {
    await showStory(storyPage, 'categorylist--default', { scenario: scenario as ScenarioName })
    for (const step of steps) {
      const done = typeof step === 'function' ? step(storyPage) : isSeen(textIn(storyPage, step).first())
      expect(await done).not.toBe(false)
    }
  })
})

test.each([
  ['free', '59 of 60'],
  ['pro', '299 of 300'],
  ['business', '999 of 1,000'],
] as const)('the plan %s', async (plan, left) => {
  await showStory(storyPage, 'ratelimitbadge--unknown', { plan })
  await storyPage.getByRole('button', { name: 'Send a request' }).click()
  expect(await isSeen(textIn(storyPage, `${left} requests left`).first())).toBe(true)
})

test('the toolbar has each scenario, and the address in use', async () => {
  const playground = await openPlayground('categorylist--default')
  const { page, story } = playground
  await page.getByRole('button', { name: /^Scenario:/ }).click()
  const titles = Object.values(scenarios).map(({ title }) => title)
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['Story default', ...titles])
  await page.getByRole('option', { name: 'Story default' }).click()

  expect(await isSeen(story.getByText('Mock service: https://petstore.test/v1'))).toBe(true)
  await choose(playground, 'Address', 'Staging')
  expect(await isSeen(story.getByText('Mock service: https://staging.petstore.test/v1'))).toBe(true)
  await textIn(story, 'Rabbit').waitFor()
})
