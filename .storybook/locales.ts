import { ar } from '../src/labels/ar.ts'
import { de } from '../src/labels/de.ts'
import { en, type PetstoreLabels } from '../src/labels/en.ts'
import { ja } from '../src/labels/ja.ts'

const plain = 'aeiouyncstAEIOUYNCST'
const accented = 'áéíöûýñçšţÅËÏØÜŸÑÇŠŢ'
const accent = (letter: string) => accented.charAt(plain.indexOf(letter))

/** Adds accents and half the length. Shows which texts are no labels (they stay plain), and which layouts are too narrow. */
const pseudoText = (text: string) =>
  `[${text.replaceAll(/[aeiouyncst]/gi, accent)}${' ~'.repeat(Math.ceil(text.length / 4))}]`

function pseudoLabels<Value>(value: Value): Value {
  // TypeScript cannot know that the shape stays the same.
  if (typeof value === 'string') return pseudoText(value) as Value
  if (typeof value === 'function') return ((...args: unknown[]) => pseudoText(String(value(...args)))) as Value
  const entries = Object.entries(value as object).map(([key, entry]) => [key, pseudoLabels<unknown>(entry)])
  return Object.fromEntries(entries) as Value
}

/** The languages of the toolbar. */
export const locales = { en, de, ja, ar, pseudo: { ...pseudoLabels(en), locale: 'en' } } satisfies Readonly<
  Record<string, PetstoreLabels>
>

export type LocaleName = keyof typeof locales
