import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PetstoreProvider } from '../../src/index.ts'
import styles from '../../src/styles.css?inline'
import { createPetstoreService } from '../../src/testing.ts'
import { contrastPairs, looks } from '../../stories/themeBuilder/contrastPairs.ts'
import { hostVariables } from '../../stories/themeBuilder/hostVariables.ts'
import type { Theme } from '../../stories/themeBuilder/theme.ts'
import { ThemeBuilder } from '../../stories/themeBuilder/ThemeBuilder.tsx'
import { measuredRatio, openThemedPage } from './themedPage.ts'

beforeEach(() => {
  document.head.append(Object.assign(document.createElement('style'), { textContent: styles }))
})

afterEach(() => {
  cleanup()
  document.head.lastElementChild?.remove()
})

/** Shows the builder, and returns its previews and the CSS it offers. */
async function openBuilder(theme: Partial<Theme>) {
  render(
    <PetstoreProvider {...createPetstoreService().providerProps()}>
      <ThemeBuilder {...theme} />
    </PetstoreProvider>,
  )
  await screen.findAllByText('Rabbit')
  const css = screen.getByRole('region', { name: 'CSS' }).textContent
  return { css, previews: screen.getAllByRole('figure') }
}

function part(root: HTMLElement, selector: string): HTMLElement {
  const found = root.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`There is no ${selector}.`)
  return found
}

/** What a person sees of a theme: its computed values, and the contrast of each pair of colors. */
function valuesOf(root: HTMLElement) {
  const button = getComputedStyle(part(root, '.petstore-button-primary'))
  const input = getComputedStyle(part(root, '.petstore-input'))
  return {
    buttonBackground: button.backgroundColor,
    buttonColor: button.color,
    buttonRadius: button.borderRadius,
    buttonHeight: button.minHeight,
    inputBorder: input.borderTopColor,
    formGap: getComputedStyle(part(root, '.petstore-category-form')).rowGap,
    contrast: contrastPairs.map((pair) => measuredRatio(root, pair)),
  }
}

describe.each<Partial<Theme>>([
  { accent: { light: '#7a1fa2', dark: '#e3a6ff' }, radius: 0.25, density: 'spacious' },
  { source: 'shadcn', density: 'compact' },
  { source: 'tailwind' },
])('%j', (theme) => {
  test.each(looks)('$title: the copied CSS gives a page what the preview shows', async (look) => {
    const { css, previews } = await openBuilder(theme)
    const preview = previews.find((figure) => figure.textContent.startsWith(look.title))
    if (!preview) throw new Error(`There is no preview ${look.title}.`)
    const { source = 'own' } = theme
    const page = openThemedPage(css, look, source === 'own' ? {} : hostVariables[source])
    expect(valuesOf(page)).toEqual(valuesOf(preview))
  })
})

test('the previews differ from each other, and stay as they are while the page around them is dark and spacious', async () => {
  const { previews } = await openBuilder({})
  const before = previews.map(valuesOf)
  expect(new Set(before.map((values) => JSON.stringify(values))).size).toBe(looks.length)
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
