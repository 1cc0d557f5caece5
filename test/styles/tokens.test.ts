import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { colourOf, contrastRatio, readTokens, type Scheme, type Tokens } from '../../stories/docs/readTokens.ts'

const css = readFileSync(new URL('../../src/components/tokens.css', import.meta.url), 'utf8')

const base = readTokens(css, ':where(:root, :host)')
const contrastByMedia = readTokens(css, ':where(:root, :host)', '@media (prefers-contrast: more)')
const contrastByAttribute = readTokens(css, ':where([data-petstore-contrast="more"])')

/** How well two tokens can be told apart. */
function contrast(tokens: Tokens, one: string, other: string, scheme: Scheme): number {
  const colour = (name: string) => {
    const found = colourOf(tokens.get(name) ?? base.get(name) ?? '', scheme)
    if (found === undefined) throw new Error(`${name} is no colour of two schemes.`)
    return found
  }
  return contrastRatio(colour(one), colour(other))
}

const surfaces = ['surface', 'surface-hover', 'surface-active', 'selected']
/** Every text and what it may stand on. */
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
/** What has to be seen without being read: the bounds of controls, the ring of focus, icons. */
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
  ['as usual', new Map<string, string>(), 4.5, 3],
  ['with more contrast', contrastByAttribute, 7, 4.5],
])('contrast %s', (_, tokens, forText, forShapes) => {
  describe.each(['light', 'dark'] as const)('%s', (scheme) => {
    test.each(texts)('%s can be read on %s', (text, surface) => {
      expect(contrast(tokens, text, surface, scheme)).toBeGreaterThanOrEqual(forText)
    })

    test.each(shapes)('%s can be seen on %s', (shape, surface) => {
      expect(contrast(tokens, shape, surface, scheme)).toBeGreaterThanOrEqual(forShapes)
    })
  })
})

test('more contrast is the same by setting and by attribute', () => {
  expect(contrastByAttribute.size).toBeGreaterThan(10)
  expect([...contrastByAttribute]).toEqual([...contrastByMedia])
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

test('no style uses a token that there is not', () => {
  const known = new Set([...base.keys()])
  const folder = new URL('../../src/components/', import.meta.url)
  const styles = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.css'))
  expect(styles.length).toBeGreaterThan(3)
  for (const path of styles) {
    const text = readFileSync(new URL(path, folder), 'utf8')
    const used = Array.from(text.matchAll(/var\(--petstore-([a-z-]+)[,)]/g), ([, name = '']) => name)
    // What a component sets for its own parts is no token.
    expect(used.filter((name) => !known.has(name) && !text.includes(`--petstore-${name}:`))).toEqual([])
  }
})
