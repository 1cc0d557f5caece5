/**
 * A `JSON.parse` that keeps every integer exact.
 *
 * The service's ids have 64 bits, a JavaScript number holds 53: `JSON.parse('9007199254740993')` returns
 * `9007199254740992`, the id of another row. Here an integer that is not safe (see `Number.isSafeInteger`) becomes a
 * **string** of its decimal digits, as in protobuf's JSON mapping of `int64`. Everything else is the same as with
 * `JSON.parse`: smaller integers, fractions and exponents are numbers, strings do not change, and invalid text throws the
 * `SyntaxError` of `JSON.parse` with positions in the original text.
 *
 * A body without a run of 16 digits costs little more than `JSON.parse`. The time is linear in the length of the text.
 *
 * @example
 * parseExactJson('{"id": 42}') // { id: 42 }
 * parseExactJson('{"id": 9007199254740993}') // { id: '9007199254740993' }
 *
 * @throws SyntaxError when `JSON.parse(text)` throws it.
 */
export function parseExactJson(text: string): unknown {
  const exact = quoteUnsafeIntegers(text)
  if (exact === text) return JSON.parse(text)
  try {
    // What is not JSON does not become JSON: a quote inside a string would end it, and no digit may follow a string. So
    // what was quoted is outside of strings, and it is no key, because no colon follows.
    return JSON.parse(exact)
  } catch {
    return JSON.parse(text) // throws the right error: in JSON, only values were quoted
  }
}

/** Quotes each value that is an unsafe integer. */
function quoteUnsafeIntegers(text: string): string {
  let quoted = ''
  let copied = 0
  /** The last literal that was found, and whether it is part of a string. */
  let known = 0
  let inString = false
  // An unsafe integer has at least 16 digits, so probing every 16th character finds each of them.
  for (let at = 15; at < text.length; at += 16) {
    if (!isDigit(text, at)) continue
    let digits = at
    while (isDigit(text, digits - 1)) digits--
    while (isDigit(text, at)) at++
    const start = text.charAt(digits - 1) === '-' ? digits - 1 : digits
    if (!isUnsafe(text, digits, at) || !isValue(text, start, at)) continue
    inString = isInString(text, start, known, inString)
    known = start
    if (inString) continue
    quoted += `${text.slice(copied, start)}"${text.slice(start, at)}"`
    copied = at
  }
  return quoted + text.slice(copied)
}

/**
 * Whether a position of a valid JSON text is inside a string. Looks back no further than to the first quote that tells, or
 * to a position `known` to be inside a string or not.
 */
function isInString(text: string, position: number, known: number, isKnownInString: boolean): boolean {
  let isOdd = false // the number of quotes that have begun or ended a string since
  for (let at = position - 1; at >= known; at--) {
    if (text.charAt(at) !== '"') continue
    if (isEscaped(text, at)) return !isOdd
    isOdd = !isOdd
    // What can follow the end of a string. Anything else is the beginning of one.
    if (!':,]}'.includes(nextToken(text, at + 1))) return isOdd
  }
  return isKnownInString !== isOdd
}

/** A quote after an odd number of backslashes is part of a string: outside of strings there are none. */
function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charAt(before - 1) === '\\') before--
  return (at - before) % 2 === 1
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

/** `JSON.parse` refuses a leading zero. */
function isUnsafe(text: string, from: number, to: number): boolean {
  if (to - from < 16 || text.charAt(from) === '0') return false
  return to - from > 16 || text.slice(from, to) > '9007199254740991'
}

/** Whether a literal is in the position of a value. A quoted key would make `{1: 2}` valid. */
function isValue(text: string, from: number, to: number): boolean {
  // `charAt` returns '' outside the text, which every string includes.
  if (!' \t\n\r:,['.includes(text.charAt(from - 1)) || !' \t\n\r,]}'.includes(text.charAt(to))) return false
  return nextToken(text, to) !== ':'
}

/** The first character from a position on that is no white space; '' at the end of the text. */
function nextToken(text: string, from: number): string {
  let at = from
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++
  return text.charAt(at)
}
