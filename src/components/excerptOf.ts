/** How much of a text its excerpt may have, in code points. */
const excerptLength = 40

/** The beginning of a text, cut between two words where there are spaces. */
export function excerptOf(text: string): string {
  // By code points, so that no surrogate pair is split.
  const characters = Array.from(text.trim().replaceAll(/\s+/g, ' '))
  if (characters.length <= excerptLength) return characters.join('')
  const lastSpace = characters.slice(0, excerptLength + 1).lastIndexOf(' ')
  return `${characters.slice(0, lastSpace > 0 ? lastSpace : excerptLength).join('')}…`
}
