import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { entries, publicNames } from '../../.storybook/entries.ts'
import { type ApiMember, readApi } from '../../.storybook/readApi.ts'
import { errorKinds, kindOfClass } from '../../stories/docs/errorKindRows.ts'

const api = readApi('src')
const names = [...new Set(Object.values(entries).flatMap((path) => publicNames(path).map(({ name }) => name)))]

const publicTypes = new Set(
  Object.values(entries).flatMap((path) =>
    publicNames(path).flatMap(({ kind, name }) => (kind === 'type' ? name : [])),
  ),
)

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|mdx)$/.test(path) && !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`)

/** The names of their fields say everything. */
const speaksForItself = /(?:Labels|ClassNames)$/

/** The description of a number has to name its unit or say what it counts. */
const unit =
  /\bms\b|milliseconds|seconds|epoch|bytes|requests|rows|characters|how many|times|status|port|number|maxlength/i

const isNumber = ({ type }: ApiMember) => /^(?:readonly )?number(?:\[\])?(?: \||$)/.test(type)

describe('the source describes what the package exports', () => {
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

test.each(promising)('%s documents the errors of its promise', (name) => {
  expect(api[name]?.throws.join(' ')).toMatch(/Error/)
})

test('every kind of error is that of a class, whose page leads to the guide', () => {
  const kinds = names.flatMap((name) => (api[name]?.kind === 'class' ? (kindOfClass(name) ?? []) : []))
  expect(new Set(kinds.map((kind) => `\`${kind}\``))).toEqual(new Set(errorKinds.rows.map(([kind]) => kind)))
})

describe('nothing is public by accident', () => {
  /** Whatever apps and their authors see: the docs, the stories, and the tests, which use the package as an app does. */
  const texts = ['README.md', ...filesBelow('stories'), ...filesBelow('test')].map((path) => readFileSync(path, 'utf8'))
  const fromEntries = new RegExp(
    `import (?:type )?\\{([^}]*)\\} from '(?:petstore-react[^']*|(?:\\.\\./)+(?:${Object.values(entries).join('|')}))'`,
    'g',
  )
  const imported = new Set(
    texts.flatMap((text) => [...text.matchAll(fromEntries)].flatMap(([, list = '']) => list.match(/\w+/g) ?? [])),
  )
  /** The types that the declaration of an export mentions, also in what it extends. */
  function typesOf(name: string): readonly string[] {
    const { signatures = [], members = [], extended = [] } = api[name] ?? {}
    const inherited = extended.flatMap((other) => other.match(/\w+/g) ?? [])
    const mentioned = [...signatures, ...members.map(({ type }) => type)].flatMap((text) => text.match(/\w+/g) ?? [])
    return [...mentioned, ...inherited, ...inherited.flatMap((other) => (other === name ? [] : typesOf(other)))]
  }
  const mentionedBy = new Map(names.map((name) => [name, new Set(typesOf(name))]))
  const isMentioned = (name: string) => [...mentionedBy].some(([other, types]) => other !== name && types.has(name))
  const isPropsType = (name: string) => name.endsWith('Props') && names.includes(name.slice(0, -'Props'.length))

  test.each(names)('%s is used outside of the source, or is part of what is', (name) => {
    const isType = publicTypes.has(name)
    expect(imported.has(name) || (isType && (isMentioned(name) || isPropsType(name)))).toBe(true)
  })
})

describe('the pages of the playground', () => {
  const pages = readdirSync('stories/docs', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.mdx'),
  )
  const texts = pages.map((path) => [path, readFileSync(`stories/docs/${path}`, 'utf8')] as const)

  test.each(texts)('%s refers to exports that exist', (_, text) => {
    const named = [...text.matchAll(/ of="([^"]+)"/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in api) && !(name in entries))).toEqual([])
  })

  test.each(names.filter((name) => name.startsWith('use')))(
    '%s has an example, in its source or on its page',
    (name) => {
      const page = texts.find(([, text]) => text.includes(`<Signature of="${name}" />`))?.[1]
      expect(api[name]?.examples.length || page?.includes('```tsx')).toBeTruthy()
    },
  )
})
