import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { run as Run } from 'axe-core'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { choose, heading, home, isInView, isSeen, longTimeout, startBrowser } from './playground.setup.ts'

const { open } = startBrowser()

const currentPage = (page: Page) => new URL(page.url()).searchParams.get('path')

test('a type in a declaration links to its own declaration', async () => {
  const playground = await open(`${home}?path=/docs/reference-main--docs`)
  const { page, story } = playground
  const section = story.locator('section[aria-labelledby="useCategories"]')
  await section.getByRole('link', { name: 'UseCategoriesResult' }).first().click()
  await page.waitForURL((url) => url.hash === '#UseCategoriesResult')
  await expect.poll(() => heading(playground, 'UseCategoriesResult').evaluate(isInView), longTimeout).toBe(true)
})

test('a link between guides leads to the page of the playground', async () => {
  const { page, story } = await open(`${home}?path=/docs/guides-accessibility--docs`)
  await story.getByRole('link', { name: 'Create a category in a dialog' }).click()
  await page.waitForURL((url) => url.hash === '#create-a-category-in-a-dialog')
  expect(currentPage(page)).toBe('/docs/guides-recipes--docs')
})

test('a link to a situation leads to its row, within the playground and without the panel of controls', async () => {
  const { page, story } = await open(`${home}?path=/story/situations--english`)
  await story.getByRole('link', { name: 'Not allowed' }).click()
  await expect.poll(() => story.getByRole('heading', { name: 'Not allowed', level: 2 }).evaluate(isInView)).toBe(true)
  expect(await page.getByRole('tab', { name: 'Controls' }).count()).toBe(0)
})

test('the playground has its own name, and its colors follow the system', async () => {
  const playground = await open(`${home}?path=/docs/guides-theming--docs`)
  const { page, story } = playground
  await heading(playground, 'Change the look').waitFor()
  await expect.poll(() => page.title()).toBe('Guides / Change the look - Guide ⋅ petstore-react')
  await page.getByRole('img', { name: 'petstore-react' }).waitFor()

  const colors = async () => {
    const frame = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
    const text = await heading(playground, 'Change the look').evaluate((title) => getComputedStyle(title).color)
    const theme = await story.locator('html').getAttribute('data-theme')
    return { frame, text, theme }
  }
  const light = { frame: 'rgb(245, 247, 250)', text: 'rgb(27, 35, 48)', theme: 'light' }
  const dark = { frame: 'rgb(15, 19, 26)', text: 'rgb(233, 237, 243)', theme: 'dark' }
  expect(await colors()).toEqual(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(colors).toEqual(dark)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(colors).toEqual(light)

  // A theme that someone chooses stays, whatever the system does.
  await choose(playground, 'Theme', 'Dark')
  await expect.poll(colors).toEqual({ ...dark, frame: light.frame })
})

test('the page of a component has its parts, keys, speech, advice and words', async () => {
  const playground = await open(`${home}?path=/docs/categorylist--docs`)
  const { story } = playground
  for (const title of ['Anatomy', 'Keyboard', 'What is spoken', 'Do and don’t', 'Default words']) {
    await heading(playground, title).waitFor()
  }
  await story.getByRole('listitem').filter({ hasText: 'toolbar: Filter box and refresh button.' }).waitFor()
  await story.locator('.anatomy-marker[data-part="rows"]').waitFor()
  expect(await isSeen(story.getByRole('row', { name: 'refreshing Refreshing…' }))).toBe(true)
})

test('a docs page stays at its beginning while its stories play', async () => {
  const { page } = await open(`${home}iframe.html?id=categoryform--docs&viewMode=docs`)
  await page.locator('.sb-story[data-settled]').nth(5).waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

/** The script of axe, which leaves a global `axe`. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2 AA. */
const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The stories have tests of their own, and the table of props is Storybook's. */
const excluded = ['.docs-story', '.docblock-argstable']

test.each([
  ['guides-errors', 'Look up a kind of error'],
  ['categorymanager', 'Default words'],
  ['reference-main', 'RateLimitError'],
  ['guides-tokens', 'Look up a color token'],
])('%s is accessible in light and dark', async (id, title) => {
  const { page } = await open(`${home}iframe.html?id=${id}--docs&viewMode=docs`)
  await page.locator('h2').filter({ hasText: title }).waitFor()
  await page.locator('.toc-link').first().waitFor()
  await page.evaluate(axe)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-theme="${colorScheme}"]`).waitFor()
    const found = await page.evaluate(
      async ([values, exclude]) => {
        const { run } = Reflect.get(globalThis, 'axe') as { readonly run: typeof Run }
        const { violations } = await run(
          { include: ['#storybook-docs'], exclude },
          { runOnly: { type: 'tag', values } },
        )
        return violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html).join(' ')}`)
      },
      [standard, excluded] as const,
    )
    expect(found).toEqual([])
  }
})

test('the site has llms.txt, and each page that it lists', async () => {
  const contents = await (await fetch(`${home}llms.txt`)).text()
  const paths = Array.from(contents.matchAll(/\]\(([^)]+)\)/g), ([, path = '']) => path)
  expect(paths).toContain('files/docs/start.md')
  const responses = await Promise.all(paths.map((path) => fetch(`${home}${path}`)))
  expect(responses.filter(({ ok }) => !ok)).toEqual([])
})
