/** Unicode's FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE. */
const [open, close] = ['\u2068', '\u2069']

/** Right-to-left letters, and the control characters of direction. */
const canReorder =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Gives a text of people or of the service a direction of its own inside a left-to-right sentence, so that it cannot
 * reorder what follows. A text that could not do that stays as it is.
 */
export const isolate = (text: string): string => (canReorder.test(text) ? isolateAlways(text) : text)

/** For right-to-left sentences. Closes what the text leaves open, and drops marks that would close our isolate. */
export function isolateAlways(text: string): string {
  let depth = 0
  const balanced = text.replaceAll(/[\u2066-\u2069]/g, (mark) => {
    if (mark === close && depth === 0) return ''
    depth += mark === close ? -1 : 1
    return mark
  })
  return open + balanced + close.repeat(depth + 1)
}
