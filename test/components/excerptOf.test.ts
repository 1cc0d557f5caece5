import { expect, test } from 'vitest'
import { excerptOf } from '../../src/components/excerptOf.ts'

test.each([
  ['Feed the rabbits', 'Feed the rabbits'],
  ['  Feed\n\nthe  rabbits ', 'Feed the rabbits'],
  ['x'.repeat(40), 'x'.repeat(40)],
  ['x'.repeat(41), `${'x'.repeat(40)}…`],
  ['Please bring twenty sacks of hay to the northern gate', 'Please bring twenty sacks of hay to the…'],
  ['Please bring twenty sacks of hay to the X', 'Please bring twenty sacks of hay to the…'],
  ['🐇'.repeat(41), `${'🐇'.repeat(40)}…`],
])('A1 the announcement of %j begins with %j', (text, excerpt) => {
  expect(excerptOf(text)).toBe(excerpt)
})
