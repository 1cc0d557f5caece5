/** Removes the API key from a text of others, in case they repeat it. */
export type Redact = (text: string) => string

/** In characters. The base64 of a shorter key is likely to be a part of other words. As in `loadRedact`. */
const minLengthForBase64 = 8

/** How many layers of escapes are removed, such as those of JSON in JSON in an address. */
const maxLayers = 8

/**
 * Finds the key as it is, in base64 with whatever stands before and after it, and either of them escaped, also several
 * times. Takes time in proportion to the text. Where an escaped key was found, the rest of the text is without those
 * escapes, too.
 */
export function createRedact(key: string | undefined): Redact {
  if (!key) return (text) => text
  const plain = [key]
  // A text may have escaped a key that looks like an escape itself.
  for (let form = unescapeLayer(key); form.length >= minLengthForBase64 && !plain.includes(form); ) {
    plain.push(form)
    form = unescapeLayer(form)
  }
  const base64 = key.length < minLengthForBase64 ? [] : [0, 1, 2].map((offset) => base64At(offset, key))
  const forms = [...plain, ...base64, ...base64.map(toAddressForm)]
  // The characters beside base64 have some bits of the key.
  const patterns = forms.map((form) => (plain.includes(form) ? literal(form) : `[\\w+/-]?${literal(form)}[\\w+/-]?=*`))
  const occurrences = new RegExp(patterns.join('|'), 'g')

  return (text) => {
    let result = text
    let layer = text
    for (let layers = 0; layers <= maxLayers; layers += 1) {
      const current = layer
      if (forms.some((form) => current.includes(form))) {
        layer = layer.replace(occurrences, '[API key]')
        result = layer
      }
      const next = unescapeLayer(layer)
      if (next === layer) break
      layer = next
    }
    return result
  }
}

/** The part of the base64 that does not depend on what stands around the key, after so many other bytes modulo 3. */
function base64At(offset: number, key: string): string {
  const text = btoa('.'.repeat(offset) + key)
  return text.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + key.length) * 4) / 3))
}

const literal = (text: string) => text.replaceAll(/\W/g, String.raw`\$&`)

const toAddressForm = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')

/** The names that HTML has for ASCII characters, each followed by its character. */
const entities =
  'amp& lt< gt> quot" apos\' sol/ bsol\\ plus+ equals= colon: semi; comma, period. excl! num# dollar$ percnt% lpar( ' +
  'rpar) ast* midast* quest? commat@ lsqb[ lbrack[ rsqb] rbrack] lcub{ lbrace{ rcub} rbrace} hat^ lowbar_ underbar_ ' +
  'grave` diacriticalgrave` vert| verbar| verticalline|'
const maxNameLength = 16

/** Sums up the letters of a name, whatever their case. */
const addLetter = (sum: number, code: number) => sum * 32 + (code % 32)

const charactersByName = new Map(
  entities.split(' ').map((entity) => {
    const [character = 0, ...letters] = Array.from(entity, (letter) => letter.charCodeAt(0)).toReversed()
    return [letters.reduceRight(addLetter, 0), character]
  }),
)

/** The characters of escapes. */
const backslash = 92
const percent = 37
const ampersand = 38
const hash = 35
const semicolon = 59
const openingBrace = 123
const closingBrace = 125
const letterU = 117
const letterX = 120

/** How many characters are joined at once: engines limit the arguments of a function. */
const chunkLength = 8_192

/**
 * Removes one layer of escapes, as far as they stand for characters that an API key can have: those of JSON and scripts
 * (`\/`, `\u002f`, `\u{2f}`, `\x2f`), of addresses (`%2f`), and of HTML (`&#47;`, `&#x2f;`, `&sol;`). Returns the same
 * text where there is none.
 */
export function unescapeLayer(text: string): string {
  const first = text.search(/[\\%&]/)
  if (first < 0) return text
  // Codes take a tenth of the time that strings and their patterns take.
  const codes = new Uint16Array(text.length - first)
  for (let index = 0; index < codes.length; index += 1) codes[index] = text.charCodeAt(first + index)
  const length = unescapeInPlace(codes)
  if (length === codes.length) return text
  const parts = [text.slice(0, first)]
  for (let begin = 0; begin < length; begin += chunkLength) {
    parts.push(String.fromCharCode(...codes.subarray(begin, Math.min(begin + chunkLength, length))))
  }
  return parts.join('')
}

/** Returns how many codes are left: an escape has more than the character that it stands for. */
function unescapeInPlace(codes: Uint16Array): number {
  /** The character that the last escape stands for. */
  let value = 0

  /** Reads digits. Returns where they end. */
  function readDigits(begin: number, radix: 10 | 16, maxDigits = Infinity): number {
    let end = begin
    value = 0
    for (; end - begin < maxDigits; end += 1) {
      const digit = digitOf(codes[end] ?? 0)
      if (digit >= radix) break
      value = value * radix + digit
    }
    return end
  }

  /** Reads the longest name that begins here. Returns where it ends. */
  function readName(begin: number): number {
    let end = begin
    let name = 0
    for (let at = begin; at - begin < maxNameLength && isLetter(codes[at] ?? 0); at += 1) {
      name = addLetter(name, codes[at] ?? 0)
      const character = charactersByName.get(name)
      if (character === undefined) continue
      value = character
      end = at + 1
    }
    return end
  }

  function endOfBackslash(at: number): number {
    const next = codes[at + 1] ?? 0
    value = next
    if (!isLetter(next) && digitOf(next) >= 10) return at + 2
    if (lower(next) === letterX) return readDigits(at + 2, 16, 2) === at + 4 ? at + 4 : at
    if (lower(next) !== letterU) return at
    if (codes[at + 2] !== openingBrace) return readDigits(at + 2, 16, 4) === at + 6 ? at + 6 : at
    const end = readDigits(at + 3, 16)
    return end > at + 3 && codes[end] === closingBrace ? end + 1 : at
  }

  function endOfEntity(at: number): number {
    const isNumber = codes[at + 1] === hash
    const isHex = isNumber && lower(codes[at + 2] ?? 0) === letterX
    const begin = at + (isHex ? 3 : isNumber ? 2 : 1)
    const end = isNumber ? readDigits(begin, isHex ? 16 : 10) : readName(begin)
    if (end === begin) return at
    return codes[end] === semicolon ? end + 1 : end
  }

  /** Returns where the escape ends that begins here, or the same position where none does. */
  function endOfEscape(at: number): number {
    const code = codes[at]
    if (code === backslash) return endOfBackslash(at)
    if (code === ampersand) return endOfEntity(at)
    return code === percent && readDigits(at + 1, 16, 2) === at + 3 ? at + 3 : at
  }

  let length = 0
  let at = 0
  while (at < codes.length) {
    const end = endOfEscape(at)
    const isEscape = end > at && end <= codes.length && value > 0 && value < 128
    codes[length] = isEscape ? value : (codes[at] ?? 0)
    length += 1
    at = isEscape ? end : at + 1
  }
  return length
}

/** ASCII letters in lower case. Other codes become some other code. */
const lower = (code: number) => code | 32

const isLetter = (code: number) => lower(code) >= 97 && lower(code) <= 122

/** Of a number to the base 16 at most; else a larger number. */
function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  return isLetter(code) ? lower(code) - 87 : 99
}
