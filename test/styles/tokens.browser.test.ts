import { afterEach, expect, onTestFinished, test } from 'vitest'
import { cdp } from 'vitest/browser'
import css from '../../src/components/tokens.css?raw'
import { readTokens } from '../../stories/docs/readTokens.ts'

const highContrast = readTokens(css, ':root, :host, [data-petstore-contrast="more"]')
const usualContrast = readTokens(css, ':root:where(:not([data-petstore-contrast="more"])), :host')

const root = document.documentElement

afterEach(() => {
  delete root.dataset['petstoreContrast']
  document.body.replaceChildren()
})

/** Adds the tokens to the page, and a box that asks for high contrast. `setting` is that of the system. */
async function renderBox(setting: 'more' | 'no-preference'): Promise<HTMLElement> {
  const style = document.head.appendChild(document.createElement('style'))
  style.textContent = css
  await cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-contrast', value: setting }] })
  onTestFinished(async () => {
    style.remove()
    await cdp().send('Emulation.setEmulatedMedia', { features: [] })
  })
  const box = document.createElement('div')
  box.dataset['petstoreContrast'] = 'more'
  return document.body.appendChild(box)
}

/** The computed values of all tokens that depend on contrast. */
const tokensAt = (element: Element) =>
  new Map(
    [...usualContrast.keys()].map((name) => [name, getComputedStyle(element).getPropertyValue(`--petstore-${name}`)]),
  )

test('an attribute asks for high contrast, on the root or on any element', async () => {
  const box = await renderBox('no-preference')
  expect(tokensAt(root)).toEqual(usualContrast)
  expect(tokensAt(box)).toEqual(highContrast)
  root.dataset['petstoreContrast'] = 'more'
  expect(tokensAt(root)).toEqual(highContrast)
})

test('the system setting asks for high contrast', async () => {
  const box = await renderBox('more')
  expect(tokensAt(root)).toEqual(highContrast)
  expect(tokensAt(box)).toEqual(highContrast)
})
