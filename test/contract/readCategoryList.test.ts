import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseExactJson } from '../../src/contract/parseExactJson.ts'
import { readCategoryList } from '../../src/contract/readCategoryList.ts'
import { categoriesSchema } from '../../src/contract/schemas.ts'
import { jsonText, mutatedJsonText } from './jsonText.ts'
import { validate } from './validate.ts'

// FAST_CHECK_RUNS=1000000 runs more cases.
const numRuns = Number(process.env['FAST_CHECK_RUNS'] ?? 20_000)
const timeout = 10_000 + numRuns // a millisecond for each run

/** The rows that `parseExactJson` and the schema read from a text; `undefined` where one of them refuses it. */
function readSlowly(text: string): unknown {
  try {
    const result = validate(categoriesSchema, parseExactJson(text))
    return result.issues ? undefined : result.value
  } catch {
    return undefined
  }
}

function expectAgreement(text: string): void {
  const slow = readSlowly(text)
  expect(readCategoryList(text) ?? slow).toStrictEqual(slow) // it may always give up
}

describe('reads', () => {
  test.each([
    ['[{"id":1,"name":"Dog"}]', [{ id: '1', name: 'Dog' }]],
    ['[{"id":0,"name":"","description":""}]', [{ id: '0', name: '', description: '' }]],
    [
      ' [ { "id" : -7 ,\n"name"\t: "Dog" , "description": "Good" }\r\n] ',
      [{ id: '-7', name: 'Dog', description: 'Good' }],
    ],
    ['[{"id":9223372036854775807,"name":"Dog"}]', [{ id: '9223372036854775807', name: 'Dog' }]],
    [
      String.raw`[{"id":1,"name":"\"id\":9007199254740993"},{"id":9007199254740993,"name":"\u00e9\\"}]`,
      [
        { id: '1', name: '"id":9007199254740993' },
        { id: '9007199254740993', name: 'é\\' },
      ],
    ],
  ])('%s', (text, rows) => {
    expect(readCategoryList(text)).toStrictEqual(rows)
    expect(readSlowly(text)).toStrictEqual(rows)
  })

  test('a name of 20 MB, without a stack overflow', () => {
    const name = 'x'.repeat(20_000_000)
    expect(readCategoryList(`[{"id":1,"name":"${name}"}]`)?.[0]?.name === name).toBe(true)
  })
})

// It returns `undefined`, and its caller reads the text with `parseExactJson` and the schema, which may accept it.
describe('gives up on', () => {
  test.each([
    '',
    'null',
    '[]',
    '{}',
    '[{}]',
    '[{"name":"Dog","id":1}]',
    '[{"id":1,"name":"Dog","legs":4}]',
    '[{"id":1,"name":"Dog","description":null}]',
    '[{"id":1,"id":2,"name":"Dog"}]',
    '[{"id":"1","name":"Dog"}]',
    '[{"id":-0,"name":"Dog"}]',
    '[{"id":01,"name":"Dog"}]',
    '[{"id":1.0,"name":"Dog"}]',
    '[{"id":1e3,"name":"Dog"}]',
    '[{"id":9223372036854775808,"name":"Dog"}]',
    '[{"id":1,"name":"Dog"}',
    '[{"id":1,"name":"Dog"},]',
    '[{"id":1,"name":"Dog"}] x',
    '[{"id":1,"name":"Dog"}],{"id":2,"name":"Cat"}]',
    '[{"id":1,"name":"Dog"}]]',
    '[{"id":1,"name":"Dog"}]\u00a0',
    '[{"id":1,"name":"a\nb"}]',
    String.raw`[{"id":1,"name":"\x41"}]`,
    String.raw`[{"id":1,"name":"\u12"}]`,
  ])('%j', (text) => {
    expect(readCategoryList(text)).toBeUndefined()
  })
})

describe('agrees with parseExactJson and the schema', { timeout }, () => {
  const literal = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.constantFrom(
      '"Dog"',
      '""',
      'null',
      '7',
      String.raw`"\"id\":9007199254740993"`,
      String.raw`"\ud800\\"`,
      '"a\tb"',
    ),
  )
  const integer = fc.oneof(
    fc.maxSafeInteger().map(String),
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
    fc.constantFrom('-0', '01', '1.0', '1e2', '"7"', '9007199254740993', '-9223372036854775808'),
  )
  const space = fc.constantFrom('', '', '', ' ', '\n  ', '\t', '\r\n', '\u00a0')
  const field = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constant('"id"'), integer) },
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom('"name"', '"description"'), literal) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('"legs"', String.raw`"\u0069d"`, '"__proto__"'), literal) },
  )
  const usual = fc
    .tuple(integer, literal, fc.option(literal))
    .map(([id, name, description]) => [
      ['"id"', id],
      ['"name"', name],
      ...(description === null ? [] : [['"description"', description]]),
    ])
  const row = fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: fc.array(field, { maxLength: 4 }) }),
      space,
    )
    .map(
      ([fields, gap]) => `${gap}{${fields.map(([key, value]) => `${gap}${key}${gap}:${value}${gap}`).join(',')}}${gap}`,
    )
  const list = fc
    .tuple(space, fc.array(row, { maxLength: 3 }), space)
    .map(([before, rows, after]) => `${before}[${rows.join(',')}]${after}`)

  test('on lists of rows', () => {
    fc.assert(fc.property(list, expectAgreement), { numRuns })
  })

  test('on cut lists, and on lists with one character changed', () => {
    fc.assert(
      fc.property(list, fc.nat(), fc.constantFrom('', '"', '\\', ',', '}', ']', '0', ' '), (text, number, char) => {
        const cut = number % (text.length + 1)
        expectAgreement(text.slice(0, cut))
        expectAgreement(text.slice(0, cut) + char + text.slice(cut + 1))
      }),
      { numRuns },
    )
  })

  test('on any JSON, and on JSON with typos', () => {
    fc.assert(fc.property(fc.oneof(jsonText, mutatedJsonText), expectAgreement), { numRuns })
  })

  test('and does not give up on usual lists', () => {
    const plain = fc.array(
      fc.record({ id: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), name: fc.string({ unit: 'binary' }) }),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(plain, (rows) => {
        const text = rows.map(({ id, name }) => `{"id":${id},"name":${JSON.stringify(name)}}`).join(',')
        expect(readCategoryList(`[${text}]`)).toEqual(rows.map(({ id, name }) => ({ id: String(id), name })))
      }),
      { numRuns },
    )
  })
})
