/** Two announcements of one moment are spoken as one text: only sentences can be compared. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?؟])\s+/)
}

/** The sentences of two or more words that are spoken more than once. */
export function repeatedSentences(sentences: readonly string[]): string[] {
  const texts = sentences.map((text) => text.replace(/[.!?؟]+$/, ''))
  return texts.filter((text, index) => /\S\s+\S/.test(text) && texts.indexOf(text) < index)
}
