import type { Page } from 'playwright'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ScenarioName, scenarios } from '../../.storybook/scenarios.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { choose, home, isSeen, openInSidebar, startBrowser, textIn } from './playground.setup.ts'
import { openStory, showStory } from './showStory.ts'

const { context, allow, open, openWithStory } = startBrowser()

/** Shows one story after the other, for tests that are not about the page around the story. */
let storyPage: Page

beforeAll(async () => {
  storyPage = await context().newPage()
  await openStory(storyPage, home, 'ratelimitbadge--unknown')
})

afterEach(() => storyPage.evaluate(() => localStorage.clear()))

test('opens from any folder of a server, requests nothing from elsewhere, and its toolbar changes the story', async () => {
  const playground = await open()
  const { page, story } = playground
  await story.getByRole('link', { name: 'CategoryManager' }).waitFor()
  // The quota lab at the top shows its results.
  const report = story.getByRole('region', { name: 'Plain fetch' })
  expect(await isSeen(report.getByText('Key banned after 31 s.'))).toBe(true)

  await openInSidebar(playground, 'CategoryList', 'Default')
  await page.getByRole('tab', { name: 'Code' }).click()
  const code = page.getByRole('tabpanel', { name: 'Code' })
  expect(await isSeen(code.getByText('CategoryList').first())).toBe(true)
  await page.getByRole('button', { name: /^Scenario:/ }).click()
  const titles = Object.values(scenarios).map(({ title }) => title)
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['Story default', ...titles])
  await page.getByRole('option', { name: 'Story default' }).click()

  expect(await isSeen(story.getByText('Mock service: https://petstore.test/v1'))).toBe(true)
  await choose(playground, 'Address', 'Staging')
  expect(await isSeen(story.getByText('Mock service: https://staging.petstore.test/v1'))).toBe(true)
  await textIn(story, 'Rabbit').waitFor()
})

test('the toolbar shows the developer tools of any story', async () => {
  const playground = await openWithStory('categorylist--default')
  const { page, story } = playground
  await textIn(story, 'Rabbit').waitFor()
  await choose(playground, 'Tools', 'Below the story')
  const tools = story.getByRole('region', { name: 'Petstore developer tools' })
  await tools.getByText('No calls wait.').waitFor()
  await story.getByRole('button', { name: 'Refresh' }).click()
  await tools.getByRole('row', { name: /^listCategories .*success/ }).waitFor()
  expect(await tools.getByRole('region', { name: 'Calls' }).count()).toBe(1)
  await page.close()
})

test('a live service: chosen in the toolbar, and kept in the memory of the pages alone', async () => {
  const apiKey = 'a-key-that-nobody-may-see'
  const live = await listen(createPetstoreService({ keys: [apiKey], categories: [{ name: 'Axolotl' }] }))
  allow(live.origin)
  /** All messages on Storybook's channel, in all frames. */
  const messages: string[] = []
  await context().exposeFunction('recordMessage', (text: string) => messages.push(text))
  await context().addInitScript(() => {
    addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      if (text.includes('storybook-channel')) Reflect.get(globalThis, 'recordMessage')(text)
    })
  })
  const playground = await openWithStory('categorylist--default')
  const { page, story } = playground
  await textIn(story, 'Rabbit').waitFor()

  await page.getByRole('button', { name: 'Service: mock' }).click()
  await page.getByRole('textbox', { name: 'Base URL' }).fill(live.baseUrl)
  await page.getByLabel('API key (kept in memory only)').fill(apiKey)
  await page.getByRole('button', { name: 'Use this service' }).click()
  await textIn(story, 'Axolotl').waitFor()
  await textIn(story, 'Live service').waitFor()

  await choose(playground, 'Theme', 'All side by side')
  // Waits for all frames: one that closes before its response would hold up the requests that follow.
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
    'bad-request': ['Something you entered can’t be used', details, 'The name is not allowed here.'],
    unauthorized: ['API key rejected'],
    'rate-limited': [
      /^Waiting for the request limit\. Will load in 1\d seconds\.$/,
      (page) => page.clock.runFor(15_000),
      'Rabbit',
    ],
    'rate-limited-long': ['Request limit reached', 'You can try again in 30 minutes, at'],
    'used-up': ['Request limit reached', /^You can try again in 6 hours, /],
    'key-paused': ['API key paused by the service', details, 'The API key is banned for the time being.'],
    offline: ['Can’t reach the service'],
    malformed: ['Unreadable response'],
    'lost-response': ['Can’t reach the service'],
    'success-then-500': [
      'Rabbit',
      (page) => page.getByRole('button', { name: 'Refresh' }).click(),
      'The service has a problem',
      'Rabbit',
    ],
  }

  // At noon: a wait of six hours ends on the same day.
  beforeAll(() => storyPage.clock.install({ time: new Date(2030, 0, 15, 12) }))

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
] as const)('the plan %s: after one request, %s are left', async (plan, left) => {
  await showStory(storyPage, 'ratelimitbadge--unknown', { plan })
  await storyPage.getByRole('button', { name: 'Send a request' }).click()
  expect(await isSeen(textIn(storyPage, `${left} requests left`).first())).toBe(true)
})
