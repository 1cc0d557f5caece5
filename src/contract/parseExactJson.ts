/**
 * A `JSON.parse` that keeps every integer exact. One that is not safe (`Number.isSafeInteger`), such as an id beyond 2^53,
 * becomes a **string** of its decimal digits, as in protobuf's JSON mapping of `int64`. Everything else is as with
 * `JSON.parse`. A body without a run of 16 digits costs little more, and the time is linear in the length of the text.
 *
 * @example
 * parseExactJson('{"id": 42, "next": 9007199254740993}') // { id: 42, next: '9007199254740993' }
 *
 * @throws SyntaxError where `JSON.parse(text)` throws one
 */
export function parseExactJson(text: string): unknown {
  /** The text before `copiedUntil`, with quotes around its unsafe integers. */
  let copy = ''
  let copiedUntil = 0
  /** Where the last string that begins before the integer ends: the integer may be in it. `nextString` begins later. */
  let stringEnd = 0
  let nextString = text.indexOf('"')
  for (const { 0: digits, index } of text.matchAll(longInteger)) {
    while (nextString >= 0 && nextString < index) {
      stringEnd = endOfString(text, nextString)
      nextString = text.indexOf('"', stringEnd)
    }
    if (index < stringEnd || Number.isSafeInteger(Number(digits))) continue
    copy += `${text.slice(copiedUntil, index)}"${digits}"`
    copiedUntil = index + digits.length
  }
  // A valid text stays valid: JSON accepts a string wherever it accepts a number. For an invalid one see `longInteger`.
  return JSON.parse(copy + text.slice(copiedUntil))
}

/** An integer of 16 digits or more as a value, not as a key: quotes would make the invalid `{1: 2}` valid. */
const longInteger = /(?<![^ \t\n\r:,[])-?[1-9]\d{15,}(?![^ \t\n\r,\]}])(?!\s*:)/g

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
