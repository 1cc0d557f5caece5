import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { colourOf, contrastRatio, readTokens, type Scheme, type Tokens } from '../../stories/docs/readTokens.ts'

const css = readFileSync(new URL('../../src/components/tokens.css', import.meta.url), 'utf8')

const highContrast = readTokens(css, ':where(:root, :host, [data-petstore-contrast="more"])')
const usualContrast = readTokens(css, ':where(:root:not([data-petstore-contrast="more"]), :host)')
const base = new Map([...readTokens(css, ':where(:root, :host)'), ...usualContrast])

/** The WCAG contrast ratio of two tokens. */
function contrast(tokens: Tokens, one: string, other: string, scheme: Scheme): number {
  const color = (name: string) => {
    const found = colourOf(tokens.get(name) ?? base.get(name) ?? '', scheme)
    if (found === undefined) throw new Error(`${name} has no color for both schemes.`)
    return found
  }
  return contrastRatio(color(one), color(other))
}

const surfaces = ['surface', 'surface-hover', 'surface-active', 'selected']
/** Each text color and the surfaces behind it. */
const texts: readonly (readonly [text: string, surface: string])[] = [
  ...surfaces.flatMap((surface) => [['text', surface] as const, ['text-muted', surface] as const]),
  ['text', 'danger-surface'],
  ['text-muted', 'danger-surface'],
  ['danger', 'danger-surface'],
  ['danger', 'surface'],
  ['warning', 'surface'],
  ['success', 'surface'],
  ['accent', 'surface'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
]
/** Parts that people have to see but not read: outlines of controls, the focus ring, icons. */
const shapes: readonly (readonly [shape: string, surface: string])[] = [
  ['control-border', 'surface'],
  ['focus', 'surface'],
  ['focus', 'surface-hover'],
  ['focus', 'selected'],
  ['focus', 'danger-surface'],
  ['danger', 'danger-surface'],
  ['accent', 'surface'],
]

describe.each([
  ['usual', base, 4.5, 3],
  ['high', highContrast, 7, 4.5],
])('%s contrast', (_, tokens, forText, forShapes) => {
  describe.each(['light', 'dark'] as const)('%s', (scheme) => {
    test.each(texts)('%s is readable on %s', (text, surface) => {
      expect(contrast(tokens, text, surface, scheme)).toBeGreaterThanOrEqual(forText)
    })

    test.each(shapes)('%s is visible on %s', (shape, surface) => {
      expect(contrast(tokens, shape, surface, scheme)).toBeGreaterThanOrEqual(forShapes)
    })
  })
})

test('usual and high contrast declare the same tokens', () => {
  expect(highContrast.size).toBeGreaterThan(10)
  expect([...usualContrast.keys()]).toEqual([...highContrast.keys()])
})

test('each density sets the same lengths', () => {
  const compact = readTokens(css, ':where([data-petstore-density="compact"])')
  const spacious = readTokens(css, ':where([data-petstore-density="spacious"])')
  expect([...compact.keys()]).toEqual([...spacious.keys()])
  for (const name of compact.keys()) {
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
    const used = Array.from(text.matchAll(/var\(--petstore-([a-z-]+)[,)]/g), ([, name = '']) => name)
    // A property that a component sets for its own parts is not a token.
    expect(used.filter((name) => !known.has(name) && !text.includes(`--petstore-${name}:`))).toEqual([])
  }
})
