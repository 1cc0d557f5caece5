import type { StoryIndex } from 'storybook/internal/types'
import { beforeAll, expect, test } from 'vitest'
import type { LocaleName } from '../../.storybook/locales.ts'
import { home, startBrowser } from './playground.setup.ts'
import { openStory, showStory } from './showStory.ts'
import { storyShape } from './storyShape.ts'

const { context } = startBrowser()

let stories: readonly string[]

beforeAll(async () => {
  const response = await fetch(`${home}index.json`)
  const { entries } = (await response.json()) as StoryIndex
  stories = Object.values(entries).flatMap(({ id, type }) => (type === 'story' ? id : []))
})

/**
 * The hour at which each language begins, so that no story may depend on the time of day: by the page's clock, all stories
 * take ten hours.
 */
const startHours = { en: 6, de: 12, ja: 17, ar: 23 } satisfies Partial<Record<LocaleName, number>>
const languages = ['en', 'de', 'ja', 'ar'] as const

test('every story has the same elements and states in each language, at any time of day', async () => {
  const [english, ...others] = await Promise.all(languages.map((locale) => shapesIn(locale, startHours[locale])))
  expect(english?.size).toBeGreaterThan(100)
  for (const shapes of others) expect(shapes).toEqual(english)
}, 900_000)

/**
 * The shape of each story in one language.
 *
 * @param hour - of the day, when the first story is shown
 * @throws Error if a play function throws
 */
async function shapesIn(locale: LocaleName, hour: number): Promise<ReadonlyMap<string, string>> {
  // Pages of one context share a clock, so each language has its own.
  const ownContext = await context()
    .browser()
    ?.newContext({ viewport: { width: 1280, height: 800 } })
  if (!ownContext) throw new Error('The browser has closed.')
  const page = await ownContext.newPage()
  const start = new Date(2030, 0, 15, hour).getTime()
  await page.clock.install({ time: start })
  await openStory(page, home, 'ratelimitbadge--unknown')
  const shapes = new Map<string, string>()
  for (const [index, story] of stories.entries()) {
    // At the start of a minute, so that no quota window ends while the story is shown.
    await page.clock.setSystemTime(start + 2 * index * 60_000 + 5_000)
    await showStory(page, story, { locale })
    await page.clock.runFor(1_000) // what shows with a delay
    shapes.set(story, await storyShape(page))
  }
  await ownContext.close()
  return shapes
}
