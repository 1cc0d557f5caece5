import { ar } from '../src/labels/ar.ts'
import { de } from '../src/labels/de.ts'
import { en } from '../src/labels/en.ts'
import { ja } from '../src/labels/ja.ts'
import type { PetstoreLabels } from '../src/labels/PetstoreLabels.ts'

const accented: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ö',
  u: 'û',
  y: 'ý',
  n: 'ñ',
  c: 'ç',
  s: 'š',
  t: 'ţ',
  A: 'Å',
  E: 'Ë',
  I: 'Ï',
  O: 'Ø',
  U: 'Ü',
  Y: 'Ÿ',
  N: 'Ñ',
  C: 'Ç',
  S: 'Š',
  T: 'Ţ',
}

/** Accented, and half as long again: what was forgotten shows as plain English, and what is too narrow breaks. */
const stretch = (text: string) =>
  `[${text.replaceAll(/[a-z]/gi, (letter) => accented[letter] ?? letter)}${' ~'.repeat(Math.ceil(text.length / 4))}]`

function pseudo<Value>(value: Value): Value {
  // The same shape with other texts, which TypeScript cannot follow.
  if (typeof value === 'string') return stretch(value) as Value
  if (typeof value === 'function') return ((...args: unknown[]) => stretch(String(value(...args)))) as Value
  const entries = Object.entries(value as object).map(([key, entry]) => [key, pseudo<unknown>(entry)])
  return Object.fromEntries(entries) as Value
}

/** What the toolbar offers. */
export const locales = { en, de, ja, ar, pseudo: { ...pseudo(en), locale: 'en' } } satisfies Readonly<
  Record<string, PetstoreLabels>
>

export type LocaleName = keyof typeof locales
