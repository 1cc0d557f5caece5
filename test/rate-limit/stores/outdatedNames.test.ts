import { expect, it } from 'vitest'
import { day } from '../../../src/rate-limit/plan.ts'
import { outdatedNames } from '../../../src/rate-limit/stores/outdatedNames.ts'

const now = 1_000_000_000_000

it('names records that were written more than two days before the newest, and values without a time', () => {
  const records: [string, unknown][] = [
    ['old', { updatedAt: now - 2 * day - 1 }],
    ['recent', { updatedAt: now - 2 * day }],
    ['newest', { updatedAt: now }],
    ['text', 'updatedAt'],
    ['null', null],
    ['undefined', undefined],
    ['empty', {}],
    ['invalid', { updatedAt: `${now}` }],
  ]
  expect(outdatedNames(records, { updatedAt: now })).toEqual(['old', 'text', 'null', 'undefined', 'empty', 'invalid'])
})

it('names none if the newest record has no time', () => {
  expect(outdatedNames([['old', { updatedAt: 1 }]], 'invalid')).toEqual([])
})
