import * as fc from 'fast-check'

/** Small integers, integers near the limits of exactness (2^53, 10^15, 10^16, 2^63), and integers of 15 to 40 digits. */
const integer: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('0', '-0', '1', '-7', '42'),
  fc
    .tuple(
      fc.constantFrom(2n ** 53n, -(2n ** 53n), 10n ** 15n, 10n ** 16n, 2n ** 63n, -(2n ** 63n)),
      fc.integer({ min: -3, max: 3 }),
    )
    .map(([limit, offset]) => String(limit + BigInt(offset))),
  fc
    .tuple(fc.constantFrom('', '-'), fc.constantFrom('1', '8', '9'), fc.integer({ min: 14, max: 39 }), fc.nat())
    .map(([sign, first, length, digits]) => sign + first + String(digits).repeat(40).slice(0, length)),
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

/** Parts of strings: text that looks like JSON, escapes, characters of one and two code units, and half a surrogate pair. */
const inString: fc.Arbitrary<string> = fc.constantFrom(
  ...['a', 'é', '漢', '\u{1f600}', '\ud800', '\u2028', ' ', ',', ':', '[', ']', '{', '}', '-', '0', '1', 'e'],
  ...['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\u0031', '\\u0022', '\\u005c', '\\uD83d'],
  ...['9007199254740993', '-9007199254740993', ',9007199254740993,', '[9007199254740993]', '12345678901234567890'],
  ...[': 9007199254740993 }', '\\",9007199254740993,\\"', '\\\\\\",-9007199254740993', '9007199254740993\\\\'],
)
const string: fc.Arbitrary<string> = fc.array(inString, { maxLength: 4 }).map((parts) => `"${parts.join('')}"`)

// `"a"` below and `''` in `space` stand there several times, so that equal keys and no space are likelier.
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

/** A position in a text, in thousandths of its length. */
const thousandths: fc.Arbitrary<number> = fc.nat(999)
const indexAt = (text: string, position: number): number => Math.floor((text.length * position) / 1000)

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(thousandths, fc.integer({ min: 1, max: 3 })).map(
    ([position, count]): Edit =>
      (text) => {
        const at = indexAt(text, position)
        return text.slice(0, at) + text.slice(at + count)
      },
  ),
  fc.tuple(thousandths, fc.oneof(char, integer)).map(
    ([position, piece]): Edit =>
      (text) => {
        const at = indexAt(text, position)
        return text.slice(0, at) + piece + text.slice(at)
      },
  ),
  fc.tuple(thousandths, char).map(
    ([position, piece]): Edit =>
      (text) => {
        const at = indexAt(text, position)
        return text.slice(0, at) + piece + text.slice(at + 1)
      },
  ),
  fc.tuple(thousandths, thousandths).map(
    ([position, other]): Edit =>
      (text) => {
        const chars = text.split('')
        const a = indexAt(text, position)
        const b = indexAt(text, other)
        return chars.map((unchanged, at) => (at === a ? chars[b] : at === b ? chars[a] : unchanged)).join('')
      },
  ),
  thousandths.map(
    (position): Edit =>
      (text) =>
        text.slice(0, indexAt(text, position)),
  ),
  // Takes the quotes off digits: the other edits seldom produce such keys and values.
  fc.constant<Edit>((text) => text.replaceAll(/"(-?\d+)"/g, '$1')),
)

/** JSON texts with a few typos: most are no longer valid, some have another meaning. */
export const mutatedJsonText: fc.Arbitrary<string> = fc
  .tuple(jsonText, fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([text, edits]) => edits.reduce((edited, apply) => apply(edited), text))
