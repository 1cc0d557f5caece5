import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import tailwindTheme from 'tailwindcss/theme.css?raw'
import { PetstoreProvider } from '../../src/index.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import styles from '../../src/styles.css?inline'
import { createPetstoreService } from '../../src/testing.ts'
import { looks } from '../../stories/themeBuilder/looks.ts'
import { measureContrast, ratioOf } from '../../stories/themeBuilder/measureContrast.ts'
import { shadcnTheme } from '../../stories/themeBuilder/shadcnTheme.ts'
import type { Theme } from '../../stories/themeBuilder/theme.ts'
import { ThemeBuilder } from '../../stories/themeBuilder/ThemeBuilder.tsx'

beforeEach(() => {
  document.head.append(Object.assign(document.createElement('style'), { textContent: styles }))
})

afterEach(() => {
  cleanup()
  document.head.lastElementChild?.remove()
  document.body.replaceChildren()
})

/** Shows the builder, and returns its previews and the CSS it offers. */
async function openBuilder(initialTheme: Partial<Theme>) {
  const { baseUrl, fetch } = createPetstoreService()
  render(
    <PetstoreProvider baseUrl={baseUrl} apiKey="demo" fetch={fetch} rateLimitStore={createMemoryStore()}>
      <ThemeBuilder initialTheme={initialTheme} />
    </PetstoreProvider>,
  )
  await screen.findAllByText('Rabbit')
  const css = screen.getByRole('region', { name: 'CSS' }).textContent
  return { css, previews: screen.getAllByRole('figure') }
}

function part(root: ParentNode, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`There is no ${selector}.`)
  return found
}

/** What a person sees of a theme: its computed values, and the contrast of each pair of colors. */
function valuesOf(root: ParentNode) {
  const button = getComputedStyle(part(root, '.petstore-button-primary'))
  const input = getComputedStyle(part(root, '.petstore-input'))
  return {
    fontFamily: button.fontFamily,
    buttonBackground: button.backgroundColor,
    buttonColor: button.color,
    buttonRadius: button.borderRadius,
    buttonHeight: button.minHeight,
    inputBackground: input.backgroundColor,
    inputBorder: input.borderTopColor,
    inputRadius: input.borderRadius,
    formGap: getComputedStyle(part(root, '.petstore-category-form')).rowGap,
    contrast: measureContrast(part(root, '.petstore-input.theme-probe')),
  }
}

/** A page of an app with the kit's styles, its own and the theme's, like the previews. */
function openPage(theme: string, own: string, look: (typeof looks)[number]): ParentNode {
  const frame = document.body.appendChild(document.createElement('iframe'))
  const page = frame.contentDocument
  if (!page) throw new Error('The frame has no page.')
  for (const text of [styles, own, theme]) {
    page.head.append(Object.assign(page.createElement('style'), { textContent: text }))
  }
  const { documentElement: root, body } = page
  root.className = `petstore-theme ${look.scheme}`
  if (look.isHighContrast) root.dataset['petstoreContrast'] = 'more'
  body.innerHTML = `
    <form class="petstore-category-form">
      <input class="petstore-input">
      <button class="petstore-button petstore-button-primary">Create</button>
    </form>
    <span class="petstore-input theme-probe" hidden></span>`
  return body
}

const declarations = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables)
    .map(([name, value]) => `${name}: ${value};`)
    .join('\n')

const scheme = 'html.light { color-scheme: light } html.dark { color-scheme: dark }'
const font = `html { font: 16px ${getComputedStyle(document.documentElement).fontFamily} }`

describe.each<[string, Partial<Theme>, string]>([
  [
    'own values',
    { accent: { light: '#7a1fa2', dark: '#e3a6ff' }, radius: 0.25, density: 'spacious', font: 'serif' },
    `${scheme} ${font}`,
  ],
  ['the default theme', {}, `${scheme} ${font}`],
  // The page of shadcn/ui sets no color scheme: the copied CSS does.
  [
    'the variables of shadcn/ui',
    { source: 'shadcn', density: 'compact' },
    `${font} :root { ${declarations(shadcnTheme.light)} } .dark { ${declarations(shadcnTheme.dark)} }`,
  ],
  [
    'the variables of Tailwind',
    { source: 'tailwind' },
    `${scheme} ${font} ${tailwindTheme.replace('@theme default', ':root')}`,
  ],
])('%s', (_, theme, own) => {
  test.each(looks)('$title: the copied CSS gives a page what the preview shows', async (look) => {
    const { css, previews } = await openBuilder(theme)
    const preview = previews.find((figure) => figure.textContent.startsWith(look.title))
    if (!preview) throw new Error(`There is no preview ${look.title}.`)
    const page = openPage(css, own, look)
    expect(valuesOf(page)).toEqual(valuesOf(preview))
  })
})

test('the previews differ from each other, and themes from the default one', async () => {
  const { previews } = await openBuilder({})
  const usual = previews.map((preview) => JSON.stringify(valuesOf(preview)))
  expect(new Set(usual).size).toBe(looks.length)
  cleanup()
  const { previews: branded } = await openBuilder({ radius: 0, accent: { light: '#7a1fa2', dark: '#e3a6ff' } })
  expect(branded.map((preview) => valuesOf(preview).buttonRadius)).toEqual(['0px', '0px', '0px', '0px'])
  const backgrounds = branded.slice(0, 2).map((preview) => valuesOf(preview).buttonBackground)
  expect(backgrounds).toEqual(['rgb(122, 31, 162)', 'rgb(227, 166, 255)'])
})

test('the previews stay as they are while the page around them is dark and spacious', async () => {
  const { previews } = await openBuilder({ source: 'shadcn' })
  const before = previews.map(valuesOf)
  const root = document.documentElement
  root.style.colorScheme = 'dark'
  root.dataset['petstoreDensity'] = 'spacious'
  try {
    expect(previews.map(valuesOf)).toEqual(before)
  } finally {
    root.style.colorScheme = ''
    delete root.dataset['petstoreDensity']
  }
})

test('the ratios follow the contrast of the page', async () => {
  await openBuilder({ accent: { light: '#ffb300', dark: '#e3a6ff' } })
  expect(screen.getByText(/^7 of \d+ ratios fail\.$/)).toBeTruthy()
  document.documentElement.dataset['petstoreContrast'] = 'more'
  try {
    expect(await screen.findByText(/^All \d+ pairs of colors have enough contrast in each look\.$/)).toBeTruthy()
  } finally {
    delete document.documentElement.dataset['petstoreContrast']
  }
})

test.each([
  ['#000000', '#ffffff', 21],
  ['white', 'white', 1],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', 'rgb(255 255 255)', 4.0],
  ['color(srgb 0 0 1)', 'white', 8.59],
  ['oklch(0.556 0 0)', 'oklch(1 0 0)', 4.74],
  // Half of black over white is #808080 or #7f7f7f.
  ['rgb(0 0 0 / 50%)', 'white', 3.98],
  ['rgb(255 255 255 / 50%)', 'black', 5.3],
  ['white', 'rgb(0 0 0 / 50%)', 3.98],
])('the contrast of %s on %s is %d', (color, background, ratio) => {
  expect(Math.abs(ratioOf(color, background, 'white') - ratio)).toBeLessThan(0.05)
})
