import { describe, expect, test } from 'vitest'
import { heading, isInView, longTimeout, type Playground, startBrowser } from './playground.setup.ts'

const { open } = startBrowser()

async function search(playground: Playground, words: string): Promise<void> {
  const { page } = playground
  await heading(playground, 'Get started').waitFor()
  // The shortcut is the way to the search for those who do not use a mouse.
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill(words)
}

describe('the search finds', () => {
  test.each([
    ['get started', 'Get started', 'guides-start--docs'],
    ['429', 'Handle a 429', 'guides-rate-limits--docs'],
    ['ban', 'Avoid a ban', 'guides-rate-limits--docs'],
    ['Retry-After', 'Expose Retry-After (CORS)', 'guides-rate-limits--docs'],
    ['token', 'Tokens', 'guides-tokens--docs'],
    ['figma', 'Take the tokens into Figma or another design tool', 'guides-tokens--docs'],
    ['button', 'Give a button of yours the same look', 'guides-theming--docs'],
    ['button', 'Look up a token for buttons, spacing, radii, motion', 'guides-tokens--docs'],
    ['colour', 'Look up a color token', 'guides-tokens--docs'],
    ['colour', 'Fix the contrast of colors', 'theme-builder--docs'],
    ['color', 'Change colors and shapes with tokens', 'guides-theming--docs'],
    ['CSP', 'Set a Content Security Policy (CSP)', 'guides-keys-and-security--docs'],
    ['outbox', 'Outbox', 'messagecomposer--docs'],
    ['RateLimitError', 'RateLimitError', 'reference-main--docs'],
    ['401', 'Handle a rejected key (401)', 'guides-errors--docs'],
    ['offline', 'Wait for a connection (offline)', 'guides-errors--docs'],
    ['theme', 'Make a theme', 'guides-theming--docs'],
    ['button', 'All states / Buttons and fields', 'categoryform--all-states'],
    ['checkbox', 'Multiple selection (checkboxes)', 'categorylist--multiple-selection'],
    ['modal', 'In dialog (modal)', 'categoryform--in-dialog'],
    ['icon', 'Situations and icons', 'situations--english'],
    ['rtl', 'Right to left (RTL)', 'categorylist--right-to-left'],
    ['spinner', 'Sending (spinner)', 'categoryform--sending'],
  ])('%s', async (words, title, id) => {
    const playground = await open()
    await search(playground, words)
    await playground.page.getByRole('option', { name: title }).first().click()
    await playground.page.waitForURL((url) => url.searchParams.get('path')?.split('/').at(-1) === id)
    if (!id.endsWith('--docs')) return // a story or a page of all states has no heading with this title
    await expect.poll(() => heading(playground, title).evaluate(isInView), longTimeout).toBe(true)
  })
})

test('the search finds each story and each heading once, and no sentences', async () => {
  const playground = await open()
  for (const words of ['dark', 'button', 'recipes']) {
    await search(playground, words)
    const results = playground.page.getByRole('option')
    await results.first().waitFor()
    const found = (await results.allInnerTexts()).map((text) => text.replace(/^(?:Docs|Guide|Reference) \/ /, ''))
    expect(new Set(found).size).toBe(found.length)
    expect(found.filter((text) => /\.$/m.test(text))).toEqual([])
  }
})
