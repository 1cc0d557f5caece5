import * as fc from 'fast-check'

/** Integers of every length, most of them near the limits of exactness: 2^53, 10^16 and the ends of int64. */
const integer: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('0', '-0', '1', '-7', '42'),
  fc
    .tuple(
      fc.constantFrom(2n ** 53n, -(2n ** 53n), 10n ** 15n, 10n ** 16n, 2n ** 63n, -(2n ** 63n)),
      fc.integer({ min: -3, max: 3 }),
    )
    .map(([near, by]) => String(near + BigInt(by))),
  fc
    .tuple(fc.constantFrom('', '-'), fc.constantFrom('1', '8', '9'), fc.integer({ min: 14, max: 39 }), fc.nat())
    .map(([sign, first, more, fill]) => sign + first + String(fill).repeat(40).slice(0, more)),
)

const number: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: integer },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        integer,
        fc.constantFrom('', '.5', '.0', '.00', '.1234567890123456789', '.9007199254740993'),
        fc.constantFrom('', 'e0', 'E+2', 'e-16', 'e0000000000000001', 'E-0000000000000000'),
      )
      .map((parts) => parts.join('')),
  },
)

/** Parts of strings: text that looks like JSON, escapes, and characters of one and two code units. */
const inString: fc.Arbitrary<string> = fc.constantFrom(
  ...['a', 'é', '漢', '\u{1f600}', '\ud800', '\u2028', ' ', ',', ':', '[', ']', '{', '}', '-', '0', '1', 'e'],
  ...['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\u0031', '\\u0022', '\\u005c', '\\uD83d'],
  ...['9007199254740993', '-9007199254740993', ',9007199254740993,', '[9007199254740993]', '12345678901234567890'],
  ...[': 9007199254740993 }', '\\",9007199254740993,\\"', '\\\\\\",-9007199254740993', '9007199254740993\\\\'],
)
const string: fc.Arbitrary<string> = fc.array(inString, { maxLength: 4 }).map((parts) => `"${parts.join('')}"`)

const key: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('"a"', '"a"', '"__proto__"', '"constructor"', '""', '"1"', '"9007199254740993"', '"\\u0061"'),
  string,
)

const space: fc.Arbitrary<string> = fc.constantFrom('', '', '', '', ' ', '\n', '\t', '\r\n', '  ', ' '.repeat(17))

/** JSON texts instead of values, because no serializer writes every valid text. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc
    .tuple(
      space,
      fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        { weight: 4, arbitrary: number },
        { weight: 2, arbitrary: string },
        { weight: 1, arbitrary: fc.constantFrom('null', 'true', 'false', '[]', '{ }') },
        { weight: 3, arbitrary: tie('array') },
        { weight: 3, arbitrary: tie('object') },
      ),
      space,
    )
    .map((parts) => parts.join('')),
  array: fc.array(tie('value'), { maxLength: 4 }).map((values) => `[${values.join(',')}]`),
  object: fc
    .array(
      fc
        .tuple(space, key, space, tie('value'))
        .map(([before, name, after, value]) => `${before}${name}${after}:${value}`),
      { maxLength: 4 },
    )
    .map((members) => `{${members.join(',')}}`),
})).value

type Edit = (text: string) => string

const char: fc.Arbitrary<string> = fc.constantFrom(
  ...Array.from('"""\\\\{}[],:-+.eE0123456789 \t\n\r'),
  ...['\u00a0', '\0', 'u', '٣'],
)

/** A position as a fraction of the text's length. */
const place: fc.Arbitrary<number> = fc.nat(999)
const index = (text: string, share: number): number => Math.floor((text.length * share) / 1000)

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(place, fc.integer({ min: 1, max: 3 })).map(
    ([share, count]): Edit =>
      (text) => {
        const at = index(text, share)
        return text.slice(0, at) + text.slice(at + count)
      },
  ),
  fc.tuple(place, fc.oneof(char, integer)).map(
    ([share, piece]): Edit =>
      (text) => {
        const at = index(text, share)
        return text.slice(0, at) + piece + text.slice(at)
      },
  ),
  fc.tuple(place, char).map(
    ([share, piece]): Edit =>
      (text) => {
        const at = index(text, share)
        return text.slice(0, at) + piece + text.slice(at + 1)
      },
  ),
  fc.tuple(place, place).map(
    ([share, other]): Edit =>
      (text) => {
        const chars = text.split('')
        const a = index(text, share) % (chars.length || 1)
        const b = index(text, other) % (chars.length || 1)
        return chars.map((own, at) => (at === a ? chars[b] : at === b ? chars[a] : own)).join('')
      },
  ),
  place.map(
    (share): Edit =>
      (text) =>
        text.slice(0, index(text, share)),
  ),
  // Bare keys and values of digits, which random edits seldom produce.
  fc.constant<Edit>((text) => text.replaceAll(/"(-?\d+)"/g, '$1')),
)

/** JSON texts with a few typos: most are no longer valid, some have another meaning. */
export const mutatedJsonText: fc.Arbitrary<string> = fc
  .tuple(jsonText, fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([text, edits]) => edits.reduce((edited, apply) => apply(edited), text))
