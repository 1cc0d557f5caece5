import { expect, test } from 'vitest'
import { isolate } from '../../src/labels/isolate.ts'

test.each([
  ['\u202eevil', '\u2068\u202eevil\u2069'],
  ['a\u2067b', '\u2068a\u2067b\u2069\u2069'],
  ['a\u2069b', '\u2068ab\u2069'],
  ['أرنب', '\u2068أرنب\u2069'],
])('%j is isolated, so that its direction does not change the text after it', (name, isolated) =>
  expect(isolate(name)).toBe(isolated),
)

test('a name that cannot change the direction of a sentence stays as it is', () => {
  for (const name of ['Rabbit', 'Kaninchen & Söhne', 'うさぎ', '🐇', '']) expect(isolate(name)).toBe(name)
})
