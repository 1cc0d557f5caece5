import { expect, test } from 'vitest'
import { day } from '../../src/rate-limit/plan.ts'
import { isOutdated } from '../../src/rate-limit/records.ts'

const now = 1_000_000_000_000

test.each([
  ['written more than two days before the newest', { updatedAt: now - 2 * day - 1 }, true],
  ['written two days before the newest', { updatedAt: now - 2 * day }, false],
  ['the newest', { updatedAt: now }, false],
  ['a text', 'updatedAt', true],
  ['null', null, true],
  ['undefined', undefined, true],
  ['without a time', {}, true],
  ['with an invalid time', { updatedAt: `${now}` }, true],
])('%s: %j is outdated: %j', (_, record, expected) => {
  expect(isOutdated(record, { updatedAt: now })).toBe(expected)
})

test('nothing is outdated if the newest record has no time', () => {
  expect(isOutdated({ updatedAt: 1 }, 'invalid')).toBe(false)
})
