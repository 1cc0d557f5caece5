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
    // What is not JSON does not become JSON: where a number may stand, a string may.
    return JSON.parse(exact)
  } catch {
    return JSON.parse(text) // throws the right error: in JSON, only values were quoted
  }
}

/** Quotes each value that is an unsafe integer. */
function quoteUnsafeIntegers(text: string): string {
  let quoted = ''
  let copied = 0
  /** Where the last string ends that was looked at, and where the next one begins. */
  let end = 0
  let quote = text.indexOf('"')
  // An unsafe integer has at least 16 digits, so probing every 16th character finds each of them.
  for (let at = 15; at < text.length; at += 16) {
    if (!isDigit(text, at)) continue
    let start = at
    while (isDigit(text, start - 1)) start--
    while (isDigit(text, at)) at++
    if (text[start - 1] === '-') start--
    if (!isUnsafe(text.slice(start, at)) || !isValue(text, start, at)) continue
    while (quote >= 0 && quote < start) {
      end = endOfString(text, quote)
      quote = text.indexOf('"', end)
    }
    if (start < end) continue
    quoted += `${text.slice(copied, start)}"${text.slice(start, at)}"`
    copied = at
  }
  return quoted + text.slice(copied)
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

/** `JSON.parse` refuses a leading zero. */
function isUnsafe(digits: string): boolean {
  return digits.length >= 16 && !/^-?0/.test(digits) && !Number.isSafeInteger(Number(digits))
}

/** Whether a literal is in the position of a value. A quoted key would make `{1: 2}` valid. */
function isValue(text: string, from: number, to: number): boolean {
  // `charAt` returns '' outside the text, which every string includes.
  if (!' \t\n\r:,['.includes(text.charAt(from - 1)) || !' \t\n\r,]}'.includes(text.charAt(to))) return false
  let next = to
  while (/\s/.test(text.charAt(next))) next++
  return text[next] !== ':'
}

/** The position after the closing quote of the JSON string that begins at `start`; the end of a text that has none. */
export function endOfString(text: string, start: number): number {
  let end = start
  let backslashes: number
  do {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
    backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes += 1
  } while (backslashes % 2 === 1)
  return end + 1
}
