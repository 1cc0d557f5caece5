import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactJson } from '../../src/contract/parseExactJson.ts'
import { jsonText, mutatedJsonText } from './jsonText.ts'
import { referenceJson } from './referenceJson.ts'

// FAST_CHECK_RUNS=1000000 runs more cases.
const numRuns = Number(process.env['FAST_CHECK_RUNS'] ?? 20_000)
const timeout = 10_000 + numRuns // a millisecond for each run

describe('integers', () => {
  it.each(['9007199254740992', '-9007199254740992', '9007199254740993', '9223372036854775807', '-9223372036854775808'])(
    'beyond 2^53 - 1 become strings of digits: %s',
    (digits) => {
      expect(parseExactJson(digits)).toBe(digits)
      expect(parseExactJson(`[${digits}]`)).toStrictEqual([digits])
      expect(parseExactJson(`{"id":${digits},"next":${digits}}`)).toStrictEqual({ id: digits, next: digits })
      expect(parseExactJson(`[\t${digits}\r\n, ${digits} ]`)).toStrictEqual([digits, digits])
    },
  )

  it('up to 2^53 - 1 stay numbers, even with 16 digits', () => {
    expect(parseExactJson('[9007199254740991, -9007199254740991, 1000000000000000, 42, -0]')).toStrictEqual([
      9007199254740991, -9007199254740991, 1000000000000000, 42, -0,
    ])
  })

  it('with a fraction or an exponent are numbers, as JSON.parse reads them', () => {
    const text = '[9007199254740993.0, 9007199254740993e0, 9007199254740993E+1, 0.9007199254740993, 1e0000000000000001]'
    expect(parseExactJson(text)).toStrictEqual(JSON.parse(text))
    expect(parseExactJson('[9007199254740993, 9007199254740993.0]')).toStrictEqual(['9007199254740993', 2 ** 53])
  })
})

describe('digits inside strings', () => {
  it.each([
    '"9007199254740993"',
    '{"9007199254740993":",9007199254740993,"}',
    '{"text":"see 9007199254740993, [9007199254740993] and -9007199254740993"}',
    '["\\",9007199254740993,\\""]',
    '["\\\\\\",9007199254740993 "]',
  ])('are left alone: %s', (text) => {
    expect(parseExactJson(text)).toStrictEqual(JSON.parse(text))
  })

  it('do not change how integers beside them are read', () => {
    const text = '{"id": 9007199254740993, "text": "\\\\\\", 9007199254740993, \\\\", "next": -9007199254740993}'
    expect(parseExactJson(text)).toStrictEqual({
      id: '9007199254740993',
      text: '\\", 9007199254740993, \\',
      next: '-9007199254740993',
    })
  })
})

describe('objects', () => {
  it('keep __proto__ as a key of their own', () => {
    const value = parseExactJson('{"__proto__": 9007199254740993, "__proto__": {"id": 9007199254740993}}')
    expect(Object.entries(Object(value))).toStrictEqual([['__proto__', { id: '9007199254740993' }]])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})

describe('text that is not JSON', () => {
  it.each([
    '',
    '{9007199254740993:1}',
    '{"a":1,9007199254740993:1}',
    '{"a":1,-9007199254740993\n:1}',
    '{ 9007199254740993 \r\n\t :1}',
    '{9007199254740993}',
    '{"a" 9007199254740993}',
    '[9007199254740993 9007199254740993]',
    '["a"9007199254740993]',
    '[9007199254740993"a"]',
    '[9007199254740993',
    '[9007199254740993,]',
    '[09007199254740993]',
    '[--9007199254740993]',
    '[+9007199254740993]',
    '[- 9007199254740993]',
    '[9007199254740993.]',
    '[9007199254740993-9007199254740993]',
    '[\u00a09007199254740993]',
    '[9007199254740993\u00a0]',
    '"\\9007199254740993',
    '["\\9007199254740993,"]',
    '"\n9007199254740993\n"',
    '["a, 9007199254740993, b]',
    '٩٠٠٧١٩٩٢٥٤٧٤٠٩٩٣',
  ])('is refused, as by JSON.parse: %j', (text) => {
    expectSame(text)
    expect(() => parseExactJson(text)).toThrow(SyntaxError)
  })
})

describe('any text', () => {
  it('of JSON is read as RFC 8259 says, with unsafe integers as strings', { timeout }, () => {
    fc.assert(fc.property(jsonText.filter(isReadRightByEngine), expectSame), { numRuns })
  })

  it('is refused exactly where JSON.parse refuses it', { timeout }, () => {
    fc.assert(fc.property(mutatedJsonText.filter(isReadRightByEngine), expectSame), { numRuns })
  })
})

describe('within the timeout of a test, 10 MB', () => {
  const million = 1_000_000

  it('of rows with unsafe ids are read', () => {
    const ids = Array.from({ length: 200_000 }, (_, i) => String(2n ** 62n + BigInt(i)))
    const value = parseExactJson(`[${ids.map((id) => `{"id": ${id}, "name": "Name, ${id}"}`).join(',')}]`)
    expect(
      isDeepStrictEqual(
        value,
        ids.map((id) => ({ id, name: `Name, ${id}` })),
      ),
    ).toBe(true)
  })

  it('of one string full of digits and escapes are read', () => {
    const part = '\\\\\\", 9007199254740993, '
    const count = Math.ceil((10 * million) / part.length)
    const value = parseExactJson(`["${part.repeat(count)}", 9007199254740993]`)
    expect(isDeepStrictEqual(value, ['\\", 9007199254740993, '.repeat(count), '9007199254740993'])).toBe(true)
  })

  it('of backslashes before an unsafe integer are read', () => {
    const value = parseExactJson(`[" 9007199254740993 ${'\\'.repeat(10 * million)}", 9007199254740993]`)
    expect(isDeepStrictEqual(value, [` 9007199254740993 ${'\\'.repeat(5 * million)}`, '9007199254740993'])).toBe(true)
  })

  it('of unsafe integers with quotes that do not match are refused', () => {
    const text = `[${'"9007199254740993,'.repeat(500_000)}`
    expect(() => parseExactJson(text)).toThrow(SyntaxError)
  })
})

/**
 * Node 24 (V8 13.6) has a bug: after `{"-":1,"\\":0}`, whose second key is a backslash, JSON.parse may take an escaped
 * key of the same length for it. `{"-":1,"\u0061":0}` then has the key `\` instead of `a`.
 */
function isReadRightByEngine(text: string): boolean {
  return !engineMistakesKeys || !/\\(?:\\|u005c)(?:[^"\\]|\\.)*"\s*:/i.test(text)
}

// No other text has the key `probe`: the engine caches the keys that it has seen.
const [, probed] = ['{"probe":1,"\\\\":0}', '{"probe":1,"\\u0061":0}'].map((text) => JSON.stringify(JSON.parse(text)))
const engineMistakesKeys = probed !== '{"probe":1,"a":0}'

/** Expects an error of the type that `JSON.parse` throws, or the value of the reference. Distinguishes `-0`, prototypes and own `__proto__`. */
function expectSame(text: string): void {
  const plain = attempt(JSON.parse, text)
  const exact = attempt(parseExactJson, text)
  const reference = attempt(referenceJson, text)
  expect(reference.error === undefined).toBe(plain.error === undefined)
  expect(exact.error).toBe(plain.error)
  if (plain.error !== undefined || isDeepStrictEqual(exact.value, reference.value)) return
  expect(exact.value).toStrictEqual(reference.value) // shows the difference, if it is one that `expect` sees
  expect.unreachable('values differ')
}

function attempt(parse: (text: string) => unknown, text: string): { value?: unknown; error?: string | undefined } {
  try {
    return { value: parse(text) }
  } catch (error) {
    return { error: error instanceof Error ? error.name : undefined }
  }
}
