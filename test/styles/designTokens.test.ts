import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { designTokens } from '../../stories/docs/designTokens.ts'
import { readTokenSets } from '../../stories/docs/tokenSets.ts'

const read = (path: string) => readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8')
const css = read('components/tokens.css')
const written: unknown = JSON.parse(read('tokens.json'))

const color = z.strictObject({
  colorSpace: z.literal('srgb'),
  components: z.array(z.number().check(z.minimum(0), z.maximum(1))).check(z.length(3)),
  alpha: z.number().check(z.minimum(0), z.maximum(1)),
  hex: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
})
const dimension = z.strictObject({ value: z.number(), unit: z.enum(['px', 'rem']) })
const values = {
  color,
  dimension,
  duration: z.strictObject({ value: z.number().check(z.minimum(0)), unit: z.enum(['ms', 's']) }),
  fontWeight: z.number().check(z.minimum(1), z.maximum(1000)),
  shadow: z.strictObject({ color, offsetX: dimension, offsetY: dimension, blur: dimension, spread: dimension }),
}
/** A token by the Design Tokens Format Module 2025.10: the types that this file uses. */
const token = z.discriminatedUnion('$type', [
  z.strictObject({ $type: z.literal('color'), $value: values.color, $description: z.optional(z.string()) }),
  z.strictObject({ $type: z.literal('dimension'), $value: values.dimension, $description: z.optional(z.string()) }),
  z.strictObject({ $type: z.literal('duration'), $value: values.duration }),
  z.strictObject({ $type: z.literal('fontWeight'), $value: values.fontWeight }),
  z.strictObject({ $type: z.literal('shadow'), $value: values.shadow }),
])
// Names may neither begin with "$" nor contain braces or a period.
const group = z.record(z.string().check(z.regex(/^[^${}.][^{}.]*$/)), token)
const file = z.intersection(z.object({ $description: z.string() }), z.record(z.string(), z.union([z.string(), group])))

test('tokens.json says what tokens.css says; `node test/run.mjs stories/docs/writeTokens.ts` writes it', () => {
  expect(written).toEqual(designTokens(css))
})

test('tokens.json has the shape of the Design Tokens format', () => {
  expect(file.safeParse(written).error).toBeUndefined()
})

test('tokens.json has every token, in every theme and density', () => {
  const groups = z.record(z.string(), z.record(z.string(), z.unknown()))
  const { $description: _, ...found } = z.record(z.string(), z.unknown()).parse(written)
  const names = Object.entries(groups.parse(found)).map(([name, tokens]) => [name, Object.keys(tokens)] as const)
  const namesIn = (...wanted: string[]) => names.flatMap(([name, tokens]) => (wanted.includes(name) ? tokens : []))
  const all = [...readTokenSets(css).usual.keys()].toSorted()
  for (const theme of ['light', 'dark'] as const) {
    for (const contrast of ['', 'high-contrast-']) {
      for (const density of ['regular', 'compact', 'spacious']) {
        expect(namesIn(`${contrast}${theme}`, density, 'other', `shadow-${theme}`).toSorted()).toEqual(all)
      }
    }
  }
})
