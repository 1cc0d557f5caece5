/** Splits a text into sentences: Orca speaks two announcements of one moment as one text. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?؟])\s+/)
}

/** The modes of Orca, which it repeats whenever Tab leads into a field or out of it. */
const mode = /^(Focus|Browse) mode$/

/** The sentences of two or more words that are spoken more than once. */
export function repeatedSentences(sentences: readonly string[]): string[] {
  const texts = sentences.map((text) => text.replace(/[.!?؟]+$/, ''))
  return texts.filter((text, index) => /\S\s+\S/.test(text) && !mode.test(text) && texts.indexOf(text) < index)
}
