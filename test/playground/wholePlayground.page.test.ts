import { join } from 'node:path'
import type { FrameLocator } from 'playwright'
import type { ComponentsManifest } from 'storybook/internal/types'
import { expect, test } from 'vitest'
import { choose, home, openInSidebar, startBrowser, textIn } from './playground.setup.ts'
import { storyFinished } from './showStory.ts'

const { open, openWithStory } = startBrowser()
const root = join(import.meta.dirname, '../..')

/** Language, direction and theme of the page around a story. */
const shownLook = (story: FrameLocator) =>
  story.locator('body').evaluate(({ ownerDocument: { documentElement: html } }) => ({
    lang: html.lang,
    dir: html.dir,
    theme: html.dataset['theme'],
  }))

test('a designer’s choices show at once, and wherever the address is opened', async () => {
  const playground = await open()
  await openInSidebar(playground, 'CategoryList', 'Default')
  await textIn(playground.story, 'Rabbit').waitFor()
  // Each menu shows its own name until an item is chosen.
  const menus = ['Scenario', 'Plan', 'Address', 'Theme', 'Density', 'Language', 'Direction', 'Width']
  for (const menu of menus) {
    await playground.page
      .getByRole('button', { name: new RegExp(`^${menu}:`) })
      .getByText(menu)
      .waitFor()
  }

  await choose(playground, 'Scenario', 'No categories')
  await textIn(playground.story, 'No categories yet').waitFor()
  await choose(playground, 'Theme', 'Dark')
  await choose(playground, 'Language', 'العربية')
  await textIn(playground.story, 'لا توجد فئات بعد').waitFor()
  expect(await shownLook(playground.story)).toEqual({ lang: 'ar', dir: 'rtl', theme: 'dark' })
  const background = await playground.story.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
  expect(background).toBe('rgb(15, 19, 26)')

  const colleague = await open(playground.page.url())
  await textIn(colleague.story, 'لا توجد فئات بعد').waitFor()
  expect(await shownLook(colleague.story)).toEqual({ lang: 'ar', dir: 'rtl', theme: 'dark' })

  await choose(colleague, 'Direction', 'Left to right')
  await expect.poll(() => shownLook(colleague.story)).toEqual({ lang: 'ar', dir: 'ltr', theme: 'dark' })

  // The choices apply to the next story, too.
  await openInSidebar(colleague, 'CategoryManager', 'Default')
  await colleague.story.getByRole('textbox', { name: 'الاسم' }).waitFor()
  await textIn(colleague.story, 'لا توجد فئات بعد').waitFor()
  expect(await shownLook(colleague.story)).toEqual({ lang: 'ar', dir: 'ltr', theme: 'dark' })

  await choose(colleague, 'Scenario', 'Story default')
  await textIn(colleague.story, 'Rabbit').waitFor()
})

test('what someone creates in one story is not in another', async () => {
  const playground = await openWithStory('categorymanager--default')
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
  const { story } = await open(`${home}?path=/docs/categorylist--all-states&globals=theme:all`)
  const part = (name: string) => story.locator(`#story--categorylist--${name}, #story--categorylist--${name}--primary`)
  await part('failed').getByText('The service has a problem').waitFor()
  await part('empty').getByText('No categories yet').waitFor()
  await part('plain').getByText('Rabbit').waitFor()
  // One story is in Arabic; the page and the other stories are not.
  await part('right-to-left').getByText('3 فئات').waitFor()
  expect(await part('right-to-left').locator('[dir="rtl"][lang="ar"]').count()).toBe(1)
  expect(await shownLook(story)).toMatchObject({ lang: 'en', dir: 'ltr' })
  // Three frames for each of the stories would be too many.
  expect(await story.locator('.side-by-side').count()).toBe(0)
})

test('all themes side by side', async () => {
  const playground = await openWithStory('categorylist--single-selection')
  const { story } = playground
  await choose(playground, 'Theme', 'All side by side')
  await storyFinished(story.frameLocator('iframe[title="High contrast"]'), 'categorylist--single-selection')
  // The stories took the focus to play, and have given it back.
  const menu = playground.page.getByRole('button', { name: /^Theme:/ })
  await expect.poll(() => menu.evaluate((button) => button.matches(':focus'))).toBe(true)
  for (const [title, theme, contrast] of [
    ['Light', 'light', 'usual'],
    ['Dark', 'dark', 'usual'],
    ['High contrast', 'light', 'more'],
  ] as const) {
    const frame = story.frameLocator(`iframe[title="${title}"]`)
    expect(await frame.locator(':focus').count()).toBe(0)
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

  // The page around the frames plays nothing: there, the play function would find no story.
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

test('a docs page shows the code of its stories', async () => {
  const { story } = await open(`${home}?path=/docs/categorylist--docs`)
  const part = story.locator('#anchor--categorylist--actions')
  await part.getByText('Show code').click()
  await expect.poll(() => part.locator('pre').innerText()).toContain('<CategoryList')
})

test('the manifest of the components, for agents, has the code of each story, and no paths of the machine', async () => {
  const text = await (await fetch(`${home}manifests/components.json`)).text()
  const { components } = JSON.parse(text) as ComponentsManifest
  expect(Object.keys(components)).toEqual(expect.arrayContaining(['categoryform', 'categorylist']))
  const stories = Object.values(components).flatMap((component) => component.stories)
  expect(stories.filter(({ snippet }) => snippet?.includes('<')).length).toBeGreaterThan(100)
  expect(text).not.toContain(root)
})
