/** Two announcements of one moment are spoken as one text: only sentences can be compared. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?؟])\s+/)
}

/** What Orca says of itself, as often as Tab leads into a field and out of it. */
const mode = /^(Focus|Browse) mode$/

/** The sentences of two or more words that are spoken more than once. */
export function repeatedSentences(sentences: readonly string[]): string[] {
  const texts = sentences.map((text) => text.replace(/[.!?؟]+$/, ''))
  return texts.filter((text, index) => /\S\s+\S/.test(text) && !mode.test(text) && texts.indexOf(text) < index)
}
