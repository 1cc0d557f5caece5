import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright'
import { compile } from 'tailwindcss'
import { expect, test } from 'vitest'
import { buildStyles } from '../../buildStyles.ts'
import { startBrowser } from './startBrowser.ts'

const browser = startBrowser()

/** The theming guide tells apps with Tailwind 4 to begin their styles with this line. */
const order = '@layer theme, base, petstore, components, utilities;'
const layered = buildStyles('src/styles.layer.css')

test('the theming guide names the layer order that is tested here', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/theming.md'), 'utf8')).toContain(order)
})

const tailwindFolder = dirname(createRequire(import.meta.url).resolve('tailwindcss/package.json'))

async function tailwind(candidates: readonly string[]): Promise<string> {
  const compiler = await compile(`${order}\n@import 'tailwindcss';`, {
    base: tailwindFolder,
    loadStylesheet: async (id, base) => {
      const path = id === 'tailwindcss' ? join(tailwindFolder, 'index.css') : join(base, id)
      return { path, base: dirname(path), content: readFileSync(path, 'utf8') }
    },
  })
  return compiler.build([...candidates])
}

async function pageWith(styles: string, body: string): Promise<Page> {
  const page = await browser().newPage()
  await page.setContent(`<!doctype html><style>${styles}</style>${body}`)
  return page
}

const styleOf = (page: Page, selector: string, property: string) =>
  page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

/** A button of ours, one with utility classes of Tailwind, and a list of ours. */
const body = `
  <button id="plain" class="petstore-button">Plain</button>
  <button id="utility" class="petstore-button p-8 rounded-none">Utility</button>
  <ul id="list" class="petstore-category-list-rows"><li>Dog</li></ul>`

test.each(['before', 'after'] as const)(
  'with Tailwind’s styles %s styles.layer.css, Tailwind’s reset overrides none of ours, and its utilities do',
  async (place) => {
    const theirs = await tailwind(['p-8', 'rounded-none'])
    const page = await pageWith(place === 'before' ? theirs + layered : order + layered + theirs, body)

    expect(await styleOf(page, '#plain', 'border-top-width')).toBe('1px')
    expect(await styleOf(page, '#plain', 'padding-left')).not.toBe('0px')
    expect(await styleOf(page, '#list', 'border-top-width')).toBe('1px')
    expect(await styleOf(page, '#utility', 'padding-left')).toBe('32px')
    expect(await styleOf(page, '#utility', 'border-top-left-radius')).toBe('0px')
    await page.close()
  },
)

test('without the layer order of the guide, Tailwind’s reset overrides our styles if it comes after them', async () => {
  const theirs = await tailwind([])
  const page = await pageWith(layered + theirs.replace(order, ''), body)
  expect(await styleOf(page, '#plain', 'border-top-width')).toBe('0px')
  await page.close()
})

test('Tailwind’s reset and utilities override none of the unlayered styles.css, even after it', async () => {
  const page = await pageWith(buildStyles('src/styles.css') + (await tailwind(['p-8', 'rounded-none'])), body)
  expect(await styleOf(page, '#plain', 'border-top-width')).toBe('1px')
  expect(await styleOf(page, '#list', 'border-top-width')).toBe('1px')
  expect(await styleOf(page, '#utility', 'padding-left')).toBe('14px')
  await page.close()
})

const mine = '.mine { padding-left: 40px } button { padding-left: 50px } p { color: rgb(1, 2, 3) }'

test.each([
  ['styles.css, then its own styles', buildStyles('src/styles.css') + mine],
  ['styles.layer.css, then its own styles', layered + mine],
  ['its own styles, then styles.layer.css', mine + layered],
])('in a plain app with %s, its own classes win, and its own elements do not change', async (_, styles) => {
  const page = await pageWith(
    styles,
    '<button class="petstore-button mine">Mine</button><button id="own">Own</button><p>Text</p><a href="#">A</a>',
  )
  expect(await styleOf(page, '.mine', 'padding-left')).toBe('40px')
  expect(await styleOf(page, '#own', 'padding-left')).toBe('50px')
  expect(await styleOf(page, 'p', 'color')).toBe('rgb(1, 2, 3)')

  const bare = await pageWith('', '<a href="#">A</a>')
  for (const property of ['color', 'font-family', 'text-decoration-line']) {
    expect(await styleOf(page, 'a', property)).toBe(await styleOf(bare, 'a', property))
  }
  await page.close()
  await bare.close()
})
