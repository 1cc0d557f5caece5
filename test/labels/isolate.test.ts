import { expect, test } from 'vitest'
import { ar } from '../../src/labels/ar.ts'
import { de } from '../../src/labels/de.ts'
import { en } from '../../src/labels/en.ts'
import { isolate } from '../../src/labels/isolate.ts'
import { ja } from '../../src/labels/ja.ts'

const strange = ['\u202eevil', 'a\u2067b', 'a\u2069b', '\u2066\u2067', 'ארנב', 'أرنب', '\u{1e900}']

/** How many isolates are open at the end of a text; `undefined` if it closes one that it has not opened. */
function depthOf(text: string): number | undefined {
  let depth = 0
  for (const character of text) {
    if (/[\u2066-\u2068]/.test(character)) depth += 1
    if (character === '\u2069') depth -= 1
    if (depth < 0) return undefined
  }
  return depth
}

test.each(Object.entries({ en, de, ja, ar }))('in %s a name turns no sentence round', (_, labels) => {
  for (const name of strange) {
    const sentences = [
      labels.categoryForm.created(name),
      labels.categoryForm.createdUnread(name),
      labels.categoryList.noMatch(name),
      labels.messageComposer.announcement(name, 'sent'),
    ]
    for (const sentence of sentences) {
      expect(sentence).toMatch(/\u2068.*\u2069/u)
      expect(depthOf(sentence)).toBe(0)
    }
  }
})

test('a name that cannot turn a sentence round stays as it is', () => {
  for (const name of ['Rabbit', 'Kaninchen & Söhne', 'うさぎ', '🐇', '']) expect(isolate(name)).toBe(name)
})
