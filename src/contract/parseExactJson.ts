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
  let quoted = ''
  let copied = 0
  /** Where the last string that was read ends. `quote` is where the next one begins. */
  let end = 0
  let quote = text.indexOf('"')
  for (const { 0: digits, index } of text.matchAll(longInteger)) {
    while (quote >= 0 && quote < index) {
      end = endOfString(text, quote)
      quote = text.indexOf('"', end)
    }
    if (index < end || Number.isSafeInteger(Number(digits))) continue
    quoted += `${text.slice(copied, index)}"${digits}"`
    copied = index + digits.length
  }
  // Quotes make no invalid text valid: JSON accepts a string wherever it accepts a number.
  return JSON.parse(quoted + text.slice(copied))
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
