import { readdirSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  colorParts,
  contrastRatio,
  readTokens,
  resolveColor,
  type Scheme,
  type Tokens,
} from '../../stories/docs/readTokens.ts'
import { readTokenSets } from '../../stories/docs/tokenSets.ts'
import { contrastPairs, minRatio } from '../../stories/themeBuilder/contrastPairs.ts'

const css = readFileSync(new URL('../../src/components/tokens.css', import.meta.url), 'utf8')

const { usual: base, highContrast, compact, spacious, derived } = readTokenSets(css)

/** The WCAG contrast ratio of two tokens. */
function contrast(tokens: Tokens, one: string, other: string, scheme: Scheme): number {
  const color = (name: string) => {
    const found = resolveColor(tokens.get(name) ?? '', scheme, tokens)
    if (found === undefined) throw new Error(`${name} has no color in the ${scheme} scheme.`)
    return found
  }
  return contrastRatio(color(one), color(other))
}

describe.each([
  ['usual', base, false],
  ['high', highContrast, true],
])('%s contrast', (_, tokens, isHighContrast) => {
  describe.each(['light', 'dark'] as const)('%s', (scheme) => {
    test.each(contrastPairs)('$kind: $token on $surface', (pair) => {
      const ratio = contrast(tokens, pair.token, pair.surface, scheme)
      expect(ratio).toBeGreaterThanOrEqual(minRatio(pair, isHighContrast))
    })
  })
})

test('the lowest ratios are those of WCAG AA, and stricter ones in high contrast', () => {
  const text = { token: 'text', surface: 'surface', kind: 'text' } as const
  const shape = { ...text, kind: 'shape' } as const
  expect([minRatio(text, false), minRatio(shape, false)]).toEqual([4.5, 3])
  expect([minRatio(text, true), minRatio(shape, true)]).toEqual([7, 4.5])
})

describe.each([
  ['usual', base],
  ['high', highContrast],
])('an accent of an app, in %s contrast', (_, tokens) => {
  const hexDigits = fc.integer({ min: 0, max: 0xff_ff_ff }).map((number) => `#${number.toString(16).padStart(6, '0')}`)

  test.each(['light', 'dark'] as const)('%s: what derives from it can be seen wherever the accent can', (scheme) => {
    fc.assert(
      fc.property(hexDigits, (accent) => {
        const branded = new Map([...tokens, ['accent', accent]])
        const at = (one: string, other: string) => contrast(branded, one, other, scheme)
        if (at('accent', 'surface') < 3) return // already too faint for a button
        expect(at('focus', 'surface')).toBeGreaterThanOrEqual(3)
        expect(at('accent-hover', 'surface')).toBeGreaterThanOrEqual(3)
        expect(at('text', 'selected')).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })
})

test('red stays red in hover, focus and selection', () => {
  for (const scheme of ['light', 'dark'] as const) {
    const branded = new Map([...base, ['accent', '#b3261e']])
    for (const name of ['accent-text', 'accent-hover', 'focus', 'selected']) {
      const color = resolveColor(branded.get(name) ?? '', scheme, branded) ?? ''
      const [red, green, blue] = colorParts(color)
      expect({ scheme, name, color, isRed: red > green && red > blue }).toMatchObject({ isRed: true })
    }
  }
})

test('roots, buttons and inputs compute the tokens that derive from others', () => {
  expect([...derived.keys()]).toEqual(['accent-text', 'accent-hover', 'focus', 'selected', 'control-radius'])
  const [, selectors = ''] = /([^{}/]+) \{\s+--_petstore-/.exec(css) ?? []
  const listed = selectors.split(',').map((selector) => selector.trim())
  expect(listed).toEqual(['.petstore-root', '.petstore-button', '.petstore-input'])
})

test('usual and high contrast declare the same tokens', () => {
  const more = readTokens(css, ':root, :host, [data-petstore-contrast="more"]')
  expect(more.size).toBeGreaterThan(10)
  const declared = readTokens(css, ':root:where(:not([data-petstore-contrast="more"])), :host')
  expect([...declared.keys()]).toEqual([...more.keys()])
})

test('each density sets the same lengths', () => {
  const names = (density: string) => [...readTokens(css, `[data-petstore-density="${density}"]`).keys()]
  expect(names('compact').length).toBeGreaterThan(2)
  expect(names('compact')).toEqual(names('spacious'))
  for (const name of names('compact')) {
    const length = (tokens: Tokens) => Number.parseFloat(tokens.get(name) ?? '')
    expect(length(compact)).toBeLessThan(length(base))
    expect(length(base)).toBeLessThan(length(spacious))
  }
})

test('styles use only tokens that exist', () => {
  const known = new Set([...base.keys()])
  const folder = new URL('../../src/components/', import.meta.url)
  const styles = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.css'))
  expect(styles.length).toBeGreaterThan(3)
  for (const path of styles) {
    const text = readFileSync(new URL(path, folder), 'utf8')
    const used = Array.from(text.matchAll(/var\(\s*--(_?)petstore-([a-z-]+)[,)]/g), ([, mark, name = '']) => ({
      mark,
      name,
    }))
    // A property that a component sets for its own parts is not a token.
    expect(used.filter(({ name }) => !known.has(name) && !text.includes(`--petstore-${name}:`))).toEqual([])
    if (path === 'tokens.css') continue
    // Without the underscore a derived token has no value until an app sets it.
    expect(used.filter(({ mark, name }) => derived.has(name) !== (mark === '_'))).toEqual([])
  }
})
