import { afterEach, beforeEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { colorParts, resolveColor } from '../../stories/docs/readTokens.ts'
import { readTokenSets } from '../../stories/docs/tokenSets.ts'
import css from '../../src/components/tokens.css?raw'
import styles from '../../src/styles.css?inline'
import { paint } from '../playground/themedPage.ts'

const { usual } = readTokenSets(css)

beforeEach(() => {
  document.head.append(Object.assign(document.createElement('style'), { textContent: styles }))
})

afterEach(() => {
  document.head.lastElementChild?.remove()
  document.body.replaceChildren()
})

/** A form as the components render one, in an element with an app's own tokens. */
function renderForm(ownTokens: Readonly<Record<string, string>>, density?: string) {
  const brand = document.createElement('div')
  for (const [name, value] of Object.entries(ownTokens)) brand.style.setProperty(name, value)
  if (density !== undefined) brand.dataset['petstoreDensity'] = density
  brand.innerHTML = `
    <div class="petstore-root petstore-category-list">
      <input class="petstore-input">
      <button class="petstore-button petstore-button-primary">Create</button>
      <div class="petstore-category-list-row" data-selected tabindex="-1">Rabbit</div>
    </div>`
  document.body.append(brand)
  const part = (selector: string) => {
    const found = brand.querySelector<HTMLElement>(selector)
    if (!found) throw new Error(`There is no ${selector}.`)
    return found
  }
  return { brand, input: part('input'), button: part('button'), row: part('.petstore-category-list-row') }
}

/** Red, green and blue of a computed color, from 0 to 255. */
const channels = (color: string) => colorParts(paint(color)).map((part) => Math.round(part * 255))

/** How far apart two colors are, in steps of a channel. Browsers may round a mixed color the other way. */
const distance = (one: string, other: string) =>
  Math.max(...channels(one).map((channel, index) => Math.abs(channel - (channels(other)[index] ?? Number.NaN))))

test.each(['light', 'dark'] as const)(
  '%s: hover, focus and selection follow the accent of any ancestor',
  async (scheme) => {
    const { brand, input, button, row } = renderForm({ '--petstore-accent': '#b3261e', '--petstore-duration': '0ms' })
    brand.style.colorScheme = scheme
    const tokens = new Map([...usual, ['accent', '#b3261e']])
    const expected = (name: string) => resolveColor(tokens.get(name) ?? '', scheme, tokens) ?? ''
    expect(distance(getComputedStyle(row).backgroundColor, expected('selected'))).toBeLessThanOrEqual(1)
    input.focus()
    expect(distance(getComputedStyle(input).outlineColor, expected('focus'))).toBeLessThanOrEqual(1)
    expect(distance(getComputedStyle(button).backgroundColor, '#b3261e')).toBe(0)
    await userEvent.hover(button)
    expect(distance(getComputedStyle(button).backgroundColor, expected('accent-hover'))).toBeLessThanOrEqual(1)
  },
)

test('a derived token that an app sets wins', () => {
  const { input, row } = renderForm({ '--petstore-selected': '#00ff00', '--petstore-control-radius': '3px' })
  expect(distance(getComputedStyle(row).backgroundColor, '#00ff00')).toBe(0)
  expect(getComputedStyle(input).borderRadius).toBe('3px')
})

test.each([
  ['0', '0px'],
  ['0px', '0px'],
  ['20px', '14px'],
])('with the radius %s, fields and buttons have %s', (radius, expected) => {
  const { input, button } = renderForm({ '--petstore-radius': radius })
  expect(getComputedStyle(input).borderRadius).toBe(expected)
  expect(getComputedStyle(button).borderRadius).toBe(expected)
})

test.each([
  ['compact', 30],
  ['regular', 36],
  ['spacious', 44],
])('in %s density a field and a button are %i px high', (density, height) => {
  const { input, button } = renderForm({}, density)
  expect(button.offsetHeight).toBe(height)
  expect(input.offsetHeight).toBe(height)
  input.setAttribute('aria-invalid', 'true')
  expect(input.offsetHeight).toBe(height)
})
