import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ar } from '../../src/labels/ar.ts'
import { en, type PetstoreLabels } from '../../src/labels/en.ts'
import { formatsFor } from '../../src/labels/formats.ts'

/*
 * English is the model: a sentence in another language has to contain the same arguments. These tests find new texts
 * and new components by themselves.
 */

const files = import.meta.glob<Readonly<Record<string, PetstoreLabels>>>('../../src/labels/??.ts', { eager: true })
/** The labels of each language, by its locale. */
const catalogues = Object.assign({}, ...Object.values(files)) as Readonly<Record<string, PetstoreLabels>> // one export each

type Sentence = (...values: readonly unknown[]) => string

/** All labels of a catalogue by path, with functions unchanged. */
function entriesOf(value: object, path = ''): [path: string, entry: unknown][] {
  return Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
    typeof entry === 'object' && entry !== null ? entriesOf(entry, `${path}${key}.`) : [[path + key, entry]],
  )
}

const sentencesOf = (labels: object) =>
  new Map(entriesOf(labels).filter((entry): entry is [path: string, say: Sentence] => typeof entry[1] === 'function'))

const english = new Map(entriesOf(en))
const englishSentences = sentencesOf(en)
const inEnglish = formatsFor('en')

function canBeMadeOf(say: Sentence, ...values: readonly unknown[]): boolean {
  try {
    return say(...values) !== ''
  } catch {
    return false
  }
}

/** Arguments of sentences with one, two or three texts: a name, or wait, time and reason. No label escapes `&`. */
const textArguments: readonly (readonly string[])[] = [
  ['1 & <b>'],
  ['1 & <b>', '2 & <b>'],
  ['1 & <b>', '2 & <b>', 'rate-limit'],
]
const textSentences = [...englishSentences].filter(([, say]) => canBeMadeOf(say, 'text', 'text', 'text'))

/** Arguments of sentences that write a count, or a count and a total, which is 200,000 below. */
const counts = [0, 1, 2, 3, 11, 25, 100, 1_234, 100_000]
const countSentences = [...englishSentences]
  .filter(([path]) => textSentences.every(([other]) => other !== path))
  .map(([path, say]) => [path, canBeMadeOf(say, 1, inEnglish) ? [] : [200_000], say] as const)

const waitReasons = Object.keys(en.categoryForm.waitReasons)

/** Only Arabic writes small numbers without a numeral. */
const hasWordFor = (locale: string, count: number) => locale === 'ar' && count < 3

/** How many isolates are open at the end of a text; `undefined` if it closes one that it has not opened. */
function openIsolates(text: string): number | undefined {
  let depth = 0
  for (const character of text) {
    if (/[\u2066-\u2068]/.test(character)) depth += 1
    if (character === '\u2069') depth -= 1
    if (depth < 0) return undefined
  }
  return depth
}

/** The word for "limit" in each language. */
const limitIn: Readonly<Record<string, RegExp>> = { ar: /حد/, de: /limit/i, en: /limit/i, ja: /制限/ }

/** Labels that are no words, so that languages may share them. */
const notWords = ['locale']
/** German labels that equal the English ones. */
const sameInGerman = [
  'categoryForm.name',
  'categoryForm.optional',
  'errorNotice.details',
  'errorNotice.code',
  'errorNotice.status',
]

test('every language has its own entry in the package', () => {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')
  for (const locale of Object.keys(catalogues)) expect(JSON.parse(text).exports).toHaveProperty([`./locales/${locale}`])
})

describe.each(Object.entries(catalogues))('%s', (locale, labels: PetstoreLabels) => {
  const format = formatsFor(locale)

  test('names its locale', () => {
    expect(labels.locale).toBe(locale)
  })

  test('has no empty label', () => {
    expect(entriesOf(labels).filter(([, entry]) => entry === '')).toEqual([])
  })

  test.skipIf(locale === 'en')('translates every English label', () => {
    const borrowed = entriesOf(labels)
      .filter(([path, entry]) => typeof entry === 'string' && entry === english.get(path))
      .map(([path]) => path)
    const allowed = locale === 'de' ? [...notWords, ...sameInGerman] : [...notWords]
    expect(allowed).toEqual(expect.arrayContaining(borrowed))
  })

  const sentences = sentencesOf(labels)
  const say = (path: string, ...values: readonly unknown[]) => sentences.get(path)?.(...values) ?? ''

  test.each(textSentences)('%s includes the same names, waits and times as in English', (path, sayInEnglish) => {
    for (const values of textArguments) {
      const included = (text: string) => values.filter((value) => text.includes(value))
      expect(included(say(path, ...values))).toEqual(included(sayInEnglish(...values)))
    }
  })

  test.each(textSentences)('%s does not let a name change the direction of the sentence', (path, sayInEnglish) => {
    for (const name of ['\u202eevil', 'a\u2067b', 'a\u2069b', '\u2066\u2067', 'ארנב', 'أرنب', '\u{1e900}']) {
      if (!sayInEnglish(name).includes('\u2068')) continue // the sentence includes no name
      expect(say(path, name)).toMatch(/\u2068.*\u2069/u)
      expect(openIsolates(say(path, name))).toBe(0)
    }
  })

  test.each(waitReasons)('says why a request waits, and if it may take longer, where English does: %s', (reason) => {
    /** For each sentence: whether it begins with the reason, whether `isEarliest` changes it, and which it equals. */
    const traitsOf = ({ categoryForm }: PetstoreLabels, ofLanguage: ReadonlyMap<string, Sentence>, time?: string) => {
      const saying = textSentences.map(([path]) => [path, ofLanguage.get(path)?.('42 s', time, reason)] as const)
      return saying.map(([path, text]) => ({
        path,
        beginsWithReason: text?.startsWith(Reflect.get(categoryForm.waitReasons, reason)),
        mayTakeLonger: text !== ofLanguage.get(path)?.('42 s', time, reason, true),
        sameAs: saying.find(([, other]) => other === text)?.[0],
      }))
    }
    expect(traitsOf(labels, sentences)).toEqual(traitsOf(en, englishSentences))
    expect(traitsOf(labels, sentences, 'at 12:05')).toEqual(traitsOf(en, englishSentences, 'at 12:05'))
  })

  test('has a text of its own for each reason of a wait, and names the limit in that of `rate-limit` alone', () => {
    const reasons = Object.values(labels.categoryForm.waitReasons)
    expect(new Set(reasons).size).toBe(waitReasons.length)
    expect(reasons.filter((reason) => limitIn[locale]?.test(reason))).toEqual([
      labels.categoryForm.waitReasons['rate-limit'],
    ])
  })

  test.each(countSentences)('%s writes the numbers that the English sentence writes', (path, total, sayInEnglish) => {
    for (const count of counts) {
      const text = say(path, count, ...total, format)
      expect(text).not.toMatch(/#|undefined|NaN/)
      const textInEnglish = sayInEnglish(count, ...total, inEnglish)
      const written = [count, ...total].filter((value) => textInEnglish.includes(inEnglish.number(value)))
      const missing = written.filter((value) => !text.includes(format.number(value)))
      expect(missing.filter((value) => !hasWordFor(locale, value))).toEqual([])
    }
  })

  test('names the key ⌘ on devices of Apple alone', () => {
    expect(labels.messageComposer.hint('apple')).toContain('⌘')
    expect(labels.messageComposer.hint('other')).not.toContain('⌘')
  })
})

test('Arabic has its own words for zero, one and two', () => {
  const texts = [0, 1, 2, 3, 11].map((count) => ar.categoryList.total(count, formatsFor('ar')))
  expect(texts).toEqual([
    'لا فئات',
    'فئة واحدة',
    'فئتان',
    `${formatsFor('ar').number(3)} فئات`,
    `${formatsFor('ar').number(11)} فئة`,
  ])
})

/** Words of developers for the request limit. */
const developersWords = /quota|rate.?limit|kontingent|ratenbegrenzung|レート|クォータ|معدل|حصة/i

test.each(Object.entries(catalogues))('%s avoids the words of developers for the request limit', (_, labels) => {
  const texts = entriesOf(labels).map(([, entry]) => entry)
  expect(texts.filter((text) => typeof text === 'string' && developersWords.test(text))).toEqual([])
})
