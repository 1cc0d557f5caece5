/** U+2068 and U+2069. */
const [open, close] = ['\u2068', '\u2069']

/** Letters from right to left, and the controls of direction. */
const turnsSentence =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * A text of people or of the service in a sentence from left to right: with a direction of its own, so that it cannot turn
 * what follows. Any other text stays as it is.
 */
export const isolate = (text: string): string => (turnsSentence.test(text) ? isolateAlways(text) : text)

/** The same for a sentence from right to left. What the text opens is closed inside, and it closes nothing else. */
export function isolateAlways(text: string): string {
  let depth = 0
  const balanced = text.replaceAll(/[\u2066-\u2069]/g, (mark) => {
    if (mark === close && depth === 0) return ''
    depth += mark === close ? -1 : 1
    return mark
  })
  return open + balanced + close.repeat(depth + 1)
}
