import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ar } from '../../src/labels/ar.ts'
import { de } from '../../src/labels/de.ts'
import { en, type PetstoreLabels } from '../../src/labels/en.ts'
import { formatsFor } from '../../src/labels/formats.ts'
import { ja } from '../../src/labels/ja.ts'

const catalogues = { ar, de, en, ja }

/** All labels of a catalogue by path, with functions unchanged. */
function entriesOf(value: object, path = ''): [path: string, entry: unknown][] {
  return Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
    typeof entry === 'object' && entry !== null ? entriesOf(entry, `${path}${key}.`) : [[path + key, entry]],
  )
}

const english = new Map(entriesOf(en))

const waitReasons = ['rate-limit', 'connection', 'service', 'other-tabs'] as const

/** The word for a limit. */
const limitIn: Readonly<Record<string, RegExp>> = { ar: /حد/, de: /limit/i, en: /limit/i, ja: /制限/ }

/** Equal in every language. */
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
  const { exports } = JSON.parse(text) as { exports: Record<string, unknown> }
  const files = readdirSync(join(import.meta.dirname, '../../src/labels')).filter((name) => /^[a-z]{2}\.ts$/.test(name))
  expect(files.map((name) => name.replace('.ts', '')).sort()).toEqual(Object.keys(catalogues).sort())
  for (const locale of Object.keys(catalogues)) expect(exports).toHaveProperty([`./locales/${locale}`])
})

describe.each(Object.entries(catalogues))('%s', (locale, labels: PetstoreLabels) => {
  const format = formatsFor(locale)

  test('names its locale', () => {
    expect(labels.locale).toBe(locale)
  })

  test('has every label, and none is empty', () => {
    const entries = new Map(entriesOf(labels))
    expect([...entries.keys()].sort()).toEqual([...english.keys()].sort())
    const wrong = [...entries].filter(([path, entry]) => typeof entry !== typeof english.get(path) || entry === '')
    expect(wrong).toEqual([])
  })

  test.skipIf(locale === 'en')('has words of its own', () => {
    const borrowed = entriesOf(labels)
      .filter(([path, entry]) => typeof entry === 'string' && entry === english.get(path))
      .map(([path]) => path)
    const allowed = locale === 'de' ? [...notWords, ...sameInGerman] : [...notWords]
    expect(allowed).toEqual(expect.arrayContaining(borrowed))
  })

  test('includes its arguments: waits, names and times', () => {
    const { categoryForm, categoryList, errorNotice, messageComposer, rateLimitBadge } = labels
    const wait = format.duration(42_000)
    const sentences = [
      categoryForm.savingIn,
      categoryList.waiting,
      errorNotice.retryIn,
      messageComposer.waiting,
      rateLimitBadge.retryingIn,
    ]
    for (const sentence of sentences) {
      expect(sentence(wait)).toContain(wait)
      expect(sentence(wait, 'at 12:05')).toMatch(new RegExp(`${wait}.*at 12:05`))
    }
    expect(errorNotice.retryIn(wait, 'tomorrow at 12:05', true)).not.toContain(wait)
    for (const says of [rateLimitBadge.nextIn, rateLimitBadge.resetsIn]) expect(says(wait)).toContain(wait)
    for (const says of [rateLimitBadge.pausedUntil, rateLimitBadge.exhaustedUntil])
      expect(says('12:05')).toContain('12:05')
    for (const holds of [errorNotice.pausedFor, categoryForm.submitIn, messageComposer.sendIn]) {
      expect(holds(wait)).toContain(wait)
      expect(holds(wait, 'at 12:05')).toContain('at 12:05')
    }
    expect(categoryForm.created('Dog & <b>cat</b>')).toContain('Dog & <b>cat</b>')
    expect(categoryList.noMatch('xyz')).toContain('xyz')
    expect(messageComposer.failedBecause('why')).toContain('why')
    expect(rateLimitBadge.resetsAt('12:05')).toContain('12:05')
    expect(messageComposer.announcement('Hello', 'sent')).toMatch(/Hello.*sent/)
    expect(messageComposer.hint('apple')).toContain('⌘')
    expect(messageComposer.hint('other')).not.toContain('⌘')
  })

  test.each(waitReasons)('says why a request waits, and whether it may take longer: %s', (reason) => {
    const { categoryForm, categoryList, messageComposer } = labels
    const wait = format.duration(42_000)
    for (const time of [undefined, 'at 12:05']) {
      const when = categoryForm.savingIn(wait, time, reason)
      const sentences = [categoryList.waiting, messageComposer.waiting].map((say) => say(wait, time, reason))
      for (const sentence of [when, ...sentences]) expect(sentence).toContain(time ?? wait)
      for (const sentence of sentences) expect(sentence.startsWith(categoryForm.waitReasons[reason])).toBe(true)

      const earliest = [categoryForm.savingIn, categoryList.waiting, messageComposer.waiting].map((say) =>
        say(wait, time, reason, true),
      )
      for (const sentence of earliest) expect(sentence).toContain(time ?? wait)
      // What fails is tried then, be it this request or another one.
      const isRetry = reason === 'connection' || reason === 'service'
      expect([when, ...sentences].filter((sentence) => earliest.includes(sentence))).toHaveLength(isRetry ? 3 : 0)
      expect(new Set(sentences).size).toBe(isRetry ? 1 : 2)
    }
  })

  test('has a reason of its own for each wait, and names the limit for one of them', () => {
    const reasons = Object.values(labels.categoryForm.waitReasons)
    expect(new Set(reasons).size).toBe(waitReasons.length)
    expect(reasons.filter((reason) => limitIn[locale]?.test(reason))).toEqual([
      labels.categoryForm.waitReasons['rate-limit'],
    ])
  })

  test.each([0, 1, 2, 3, 11, 25, 100, 1_234, 100_000])('counts %i', (count) => {
    const { categoryList, messageComposer, rateLimitBadge } = labels
    const total = 200_000
    const texts = [
      categoryList.matches(count, total, format),
      categoryList.shown(count, total, format),
      categoryList.showMore(count, format),
      categoryList.selected(count, format),
      rateLimitBadge.remaining(count, total, format),
      rateLimitBadge.remainingShort(count, total, format),
    ]
    for (const text of texts) expect(text).toContain(format.number(count))
    const inWords = [
      categoryList.total(count, format),
      messageComposer.limit(count, format),
      messageComposer.tooLong(count, format),
      messageComposer.charactersLeft(count, format),
      messageComposer.charactersOver(count, format),
      rateLimitBadge.remainingOnly(count, format),
    ]
    for (const text of inWords) expect(text).not.toContain('#')
    // Only Arabic writes such small numbers without a numeral.
    if (locale === 'ar' && count < 3) return
    // oxlint-disable-next-line vitest/no-conditional-expect -- for all but those
    for (const text of inWords) expect(text).toContain(format.number(count))
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
