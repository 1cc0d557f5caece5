import { type Browser, type BrowserContext, chromium, type FrameLocator, type Locator, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type ScenarioName, scenarios } from '../../.storybook/scenarios.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { chromiumLaunchOptions } from '../chromium.ts'

/** Storybook's, of itself. */
const ownWarnings = [
  "The 'ariaLabel' prop on 'PopoverProvider'", // its zoom menu
  'Ignored Storybook channel message from a window that is not a registered', // a page left before it had loaded
]

const home = inject('playground')
let browser: Browser
let context: BrowserContext
/** Addresses elsewhere that a page asked for. */
let strayed: string[]
/** What pages wrote to the console as errors and warnings. */
let complaints: string[]
/** Where else a page may go. */
let allowed: string[]

beforeAll(async () => {
  const built = fetch(home)
  const { args = [], ...options } = await chromiumLaunchOptions()
  // Not by Playwright's routes, which would switch the browser's cache off: nothing beyond this machine can be found.
  const nothingElse = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'
  browser = await chromium.launch({ ...options, args: [...args, nothingElse] })
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  context.setDefaultTimeout(60_000)
  context.on('request', (request) => {
    const url = request.url()
    if (!/^(data|blob|about):/.test(url) && ![home, ...allowed].some((start) => url.startsWith(start)))
      strayed.push(url)
  })
  context.on('page', (page) => {
    page.on('websocket', (socket) => strayed.push(socket.url()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return
      if (!ownWarnings.some((start) => message.text().startsWith(start))) complaints.push(message.text())
    })
  })
  await built
}, 120_000)

afterAll(async () => {
  await browser.close()
})

beforeEach(() => {
  strayed = []
  complaints = []
  allowed = []
})

afterEach(async () => {
  const [page] = context.pages()
  await page?.evaluate(() => localStorage.clear())
  const workers = context.serviceWorkers().map((worker) => worker.url())
  await Promise.all(context.pages().map((each) => each.close()))
  const problems = [...strayed, ...complaints, ...workers]
  if (problems.length > 0) throw new Error(`The pages strayed or complained: ${problems.join('\n')}`)
})

/** Rejects when it does not come to be seen. */
const isSeen = (element: Locator) => element.waitFor().then(() => true)

interface Playground {
  readonly page: Page
  /** What is below the toolbar. */
  readonly story: FrameLocator
}

async function open(address = home): Promise<Playground> {
  const page = await context.newPage()
  await page.goto(address)
  return { page, story: page.frameLocator('#storybook-preview-iframe') }
}

const openStory = (id: string) => open(`${home}?path=/story/${id}`)

/** By the toolbar. */
async function choose({ page }: Playground, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${menu}:`) }).click()
  await page.getByRole('option', { name: item }).click()
}

async function openInSidebar({ page, story: frame }: Playground, component: string, story: string): Promise<void> {
  const id = `${component}--${story}`.toLowerCase()
  const link = page.locator(`[data-item-id="${id}"] a`)
  if (!(await link.isVisible())) {
    await page.getByRole('button', { name: component, exact: true }).click()
    await page.waitForURL(/path=\/docs\//) // opening a component shows its docs
  }
  await link.click()
  await page.waitForURL((url) => url.searchParams.get('path') === `/story/${id}`)
  await frame.locator('#storybook-docs').waitFor({ state: 'hidden' }) // the address changes before what is shown
}

const root = (story: FrameLocator) =>
  story.locator('body').evaluate(({ ownerDocument: { documentElement: html } }) => ({
    lang: html.lang,
    dir: html.dir,
    theme: html.dataset['theme'],
  }))

test('opens from any folder of any server, without a word to the outside', async () => {
  const { story } = await open()
  await story.getByRole('textbox', { name: 'Name' }).first().waitFor()
  expect(await isSeen(story.getByText('Mock service').first())).toBe(true)
})

test('a designer’s choices show at once, and in whoever’s browser the address is opened', async () => {
  const playground = await open()
  await openInSidebar(playground, 'CategoryList', 'Default')
  await playground.story.getByText('Rabbit').waitFor()
  // Until something is chosen, each menu bears its own name.
  const menus = ['Scenario', 'Plan', 'Address', 'Theme', 'Density', 'Language', 'Direction', 'Width']
  for (const menu of menus) await playground.page.getByRole('button', { name: menu }).getByText(menu).waitFor()

  await choose(playground, 'Scenario', 'No categories')
  await playground.story.getByText('No categories yet').waitFor()
  await choose(playground, 'Theme', 'Dark')
  await choose(playground, 'Language', 'العربية')
  await playground.story.getByText('لا توجد فئات بعد').waitFor()
  expect(await root(playground.story)).toEqual({ lang: 'ar', dir: 'rtl', theme: 'dark' })
  const background = await playground.story.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
  expect(background).toBe('rgb(15, 19, 26)')

  const colleague = await open(playground.page.url())
  await colleague.story.getByText('لا توجد فئات بعد').waitFor()
  expect(await root(colleague.story)).toEqual({ lang: 'ar', dir: 'rtl', theme: 'dark' })

  await choose(colleague, 'Direction', 'Left to right')
  await expect.poll(() => root(colleague.story)).toEqual({ lang: 'ar', dir: 'ltr', theme: 'dark' })

  // The choices hold for the next story, too.
  await openInSidebar(colleague, 'CategoryManager', 'Default')
  await colleague.story.getByRole('textbox', { name: 'الاسم' }).waitFor()
  await colleague.story.getByText('لا توجد فئات بعد').waitFor()
  expect(await root(colleague.story)).toEqual({ lang: 'ar', dir: 'ltr', theme: 'dark' })

  await choose(colleague, 'Scenario', 'Story default')
  await colleague.story.getByText('Rabbit').waitFor()
})

test('what is done in one story stays there', async () => {
  const playground = await openStory('categorymanager--default')
  const { story } = playground
  await story.getByRole('textbox', { name: 'Name' }).fill('Hamster')
  await story.getByRole('button', { name: 'Create category' }).click()
  await story.getByText('6 categories').waitFor()
  await story.getByRole('listitem').filter({ hasText: 'Hamster' }).waitFor()

  await openInSidebar(playground, 'CategoryList', 'Default')
  await story.getByText('5 categories').waitFor()
  expect(await story.getByText('Hamster').count()).toBe(0)
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
  const playground = await openStory('categorylist--single-selection')
  const { story } = playground
  await choose(playground, 'Theme', 'All side by side')
  for (const [title, theme, contrast] of [
    ['Light', 'light', 'usual'],
    ['Dark', 'dark', 'usual'],
    ['High contrast', 'light', 'more'],
  ] as const) {
    const frame = story.frameLocator(`iframe[title="${title}"]`)
    await frame.getByRole('radio', { name: 'Rabbit', checked: true }).waitFor() // each frame has played its story
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

  // Opened anew nothing is played on the page around them, where it would fail.
  const anew = await open(playground.page.url())
  await anew.story.frameLocator('iframe[title="Dark"]').getByRole('radio', { name: 'Rabbit', checked: true }).waitFor()
  await anew.page.getByRole('tab', { name: 'Interactions' }).click()
  const panel = anew.page.getByRole('tabpanel', { name: 'Interactions' })
  await panel.getByText('Write a play function').waitFor()
  await panel.getByText('Pass').waitFor()
})

test('a live service: chosen in the toolbar, and kept in nobody’s memory but the pages’', async () => {
  const apiKey = 'a-key-that-nobody-may-see'
  const live = await listen(createPetstoreService({ keys: [apiKey], categories: [{ name: 'Axolotl' }] }))
  allowed = [live.origin]
  // The channel of Storybook, as all frames hear it.
  const heard: string[] = []
  await context.exposeFunction('hear', (text: string) => heard.push(text))
  await context.addInitScript(() => {
    addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      if (text.includes('storybook-channel')) Reflect.get(globalThis, 'hear')(text)
    })
  })
  const playground = await openStory('categorylist--default')
  const { page, story } = playground
  await story.getByText('Rabbit').waitFor()

  await page.getByRole('button', { name: 'Service: mock' }).click()
  await page.getByRole('textbox', { name: 'Base URL' }).fill(live.baseUrl)
  await page.getByLabel('API key (kept in memory only)').fill(apiKey)
  await page.getByRole('button', { name: 'Use this service' }).click()
  await story.getByText('Axolotl').waitFor()
  await story.getByText('Live service').waitFor()

  await choose(playground, 'Theme', 'All side by side')
  // Each of them to the end: the quota's record would wait for the response to a page that is gone.
  for (const title of ['Light', 'Dark', 'High contrast']) {
    await story.frameLocator(`iframe[title="${title}"]`).getByText('Axolotl').waitFor()
  }
  await choose(playground, 'Theme', 'Light')
  await openInSidebar(playground, 'CategoryList', 'Empty')
  await story.getByText('this story always uses the mock service').waitFor()
  await openInSidebar(playground, 'CategoryList', 'Default')
  await story.getByText('Axolotl').waitFor()

  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  const urls = page.frames().map((frame) => frame.url())
  expect(heard.length).toBeGreaterThan(0)
  for (const secret of [apiKey, new URL(live.baseUrl).host]) {
    expect([stored, page.url(), ...urls, ...heard].filter((text) => text.includes(secret))).toEqual([])
  }

  await page.getByRole('button', { name: `Service: ${live.baseUrl}` }).click()
  await page.getByRole('button', { name: 'Use mock service' }).click()
  await story.getByText('Rabbit').waitFor()
  await live.close()
})

describe('the scenario', () => {
  const details = (page: Page) => page.getByText('Details', { exact: true }).click()
  /** What CategoryList shows by and by; a function does something in between. */
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

  test.each(Object.entries(shows))('%s', async (name, steps) => {
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(`${home}iframe.html?id=categorylist--default&globals=scenario:${name}`)
    for (const step of steps) {
      const done = typeof step === 'function' ? step(page) : isSeen(page.getByText(step).first())
      expect(await done).not.toBe(false)
    }
  })

  test('each is in the toolbar', async () => {
    const { page, story } = await openStory('categorylist--default')
    await story.getByText('Rabbit').waitFor()
    await page.getByRole('button', { name: /^Scenario:/ }).click()
    const titles = Object.values(scenarios).map(({ title }) => title)
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['Story default', ...titles])
  })
})

test.each([
  ['free', '59 of 60'],
  ['pro', '299 of 300'],
  ['business', '999 of 1,000'],
])('the plan %s', async (plan, left) => {
  const page = await context.newPage()
  await page.goto(`${home}iframe.html?id=ratelimitbadge--unknown&globals=plan:${plan}`)
  await page.getByRole('button', { name: 'Send a request' }).click()
  expect(await isSeen(page.getByText(`${left} requests left`).first())).toBe(true)
})

test('the address in use', async () => {
  const playground = await openStory('categorylist--default')
  expect(await isSeen(playground.story.getByText('Mock service: https://petstore.test/v1'))).toBe(true)
  await choose(playground, 'Address', 'Staging')
  expect(await isSeen(playground.story.getByText('Mock service: https://staging.petstore.test/v1'))).toBe(true)
  await playground.story.getByText('Rabbit').waitFor()
})
