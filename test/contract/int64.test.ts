import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { int64 } from '../../src/client.ts'
import { parseExactJson } from '../../src/contract/parseExactJson.ts'
import { issuesOf, validate } from './validate.ts'

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n

describe('int64', () => {
  test.each([
    [0, '0'],
    [-0, '0'],
    [7, '7'],
    [-7, '-7'],
    [1e3, '1000'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [Number.MIN_SAFE_INTEGER, '-9007199254740991'],
    ['9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    [String(maxInt64), '9223372036854775807'],
    [String(minInt64), '-9223372036854775808'],
  ])('takes %o as %s', (value, text) => {
    expect(validate(int64, value)).toEqual({ value: text })
  })

  test.each([
    2 ** 53,
    -(2 ** 53),
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    7n,
    null,
    undefined,
    true,
    {},
    [7],
    new Number(7),
    '',
    ' 7',
    '7\n',
    '+7',
    '-0',
    '007',
    '1.0',
    '1e3',
    '0x7',
    '٧',
    '-',
    String(maxInt64 + 1n),
    String(minInt64 - 1n),
    '1'.repeat(1_000),
  ])('refuses %o', (value) => {
    expect(issuesOf(int64, value)).toEqual([expect.stringMatching(/^expected an integer/)])
  })

  test('returns the exact digits of any int64 in JSON', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: minInt64, max: maxInt64 }), (id) => {
        expect(validate(int64, parseExactJson(String(id)))).toEqual({ value: String(id) })
      }),
    )
  })

  test('refuses any integer in JSON outside of int64', () => {
    const outside = fc.oneof(
      fc.bigInt({ min: maxInt64 + 1n, max: 2n ** 80n }),
      fc.bigInt({ min: -(2n ** 80n), max: minInt64 - 1n }),
    )
    fc.assert(
      fc.property(outside, (id) => {
        expect(issuesOf(int64, parseExactJson(String(id)))).toHaveLength(1)
      }),
    )
  })
})
