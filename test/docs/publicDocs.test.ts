import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { entries, publicNames } from '../../.storybook/entries.ts'
import { type ApiMember, readApi } from '../../.storybook/readApi.ts'

const api = readApi('src')
const names = [...new Set(Object.values(entries).flatMap((path) => publicNames(path).map(({ name }) => name)))]

/** Their names are the labels and the parts themselves. */
const speaksForItself = /(?:Labels|ClassNames)$/

/** Numbers that are no duration, time or size have to say what they count. */
const unit =
  /\bms\b|milliseconds|seconds|epoch|bytes|requests|rows|characters|how many|times|status|port|number|maxlength/i

const isNumber = ({ type }: ApiMember) => /^(?:readonly )?number(?:\[\])?(?: \||$)/.test(type)

describe('what the package exports is described where it stands', () => {
  test.each(names)('%s', (name) => {
    const entry = api[name]
    expect(entry?.description).toMatch(/[.:]$/)
    if (!entry || speaksForItself.test(name)) return
    expect(entry.members.filter(({ description }) => !/[.:)]$/.test(description)).map((member) => member.name)).toEqual(
      [],
    )
    const unclear = entry.members.filter((member) => isNumber(member) && !unit.test(member.description))
    expect(unclear.map((member) => member.name)).toEqual([])
  })
})

const promising = names.filter((name) => api[name]?.signatures.some((signature) => /\): Promise</.test(signature)))

test.each(promising)('%s says what its promise rejects with', (name) => {
  expect(api[name]?.throws.join(' ')).toMatch(/Error/)
})

describe('the pages of the playground', () => {
  const pages = readdirSync('stories/docs', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.mdx'),
  )
  const texts = pages.map((path) => [path, readFileSync(`stories/docs/${path}`, 'utf8')] as const)

  test.each(texts)('%s names what there is', (_, text) => {
    const named = [...text.matchAll(/ of="([^"]+)"/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in api) && !(name in entries))).toEqual([])
  })

  test.each(names.filter((name) => name.startsWith('use')))('%s has one', (name) => {
    expect(texts.some(([, text]) => text.includes(`<Signature of="${name}" />`))).toBe(true)
  })
})
