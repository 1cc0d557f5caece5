import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { entries, publicNames } from '../../.storybook/entries.ts'
import { type ApiMember, readApi } from '../../.storybook/readApi.ts'
import { en } from '../../src/labels/en.ts'
import { toRouteHandlers } from '../../src/server.ts'

const api = readApi('src')
const names = [...new Set(Object.values(entries).flatMap((path) => publicNames(path).map(({ name }) => name)))]

const publicTypes = new Set(
  Object.values(entries).flatMap((path) =>
    publicNames(path).flatMap(({ kind, name }) => (kind === 'type' ? name : [])),
  ),
)

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|mdx?)$/.test(path) && !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`)

/** Labels and class names, whose fields need no description: their names say everything. */
const speaksForItself = /(?:Labels|ClassNames)$/

/** The description of a number needs one of these words: its unit, or what it counts. */
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

const asyncFunctions = names.filter((name) => api[name]?.signatures.some((signature) => /\): Promise</.test(signature)))

test.each(asyncFunctions)('%s documents the errors of its promise', (name) => {
  expect(api[name]?.throws.join(' ')).toMatch(/Error/)
})

test.each(Object.entries(en.errorNotice.errors))(
  'the guide to errors has the kind %s, and what people see',
  (kind, { title }) => {
    const rows = readFileSync('docs/errors.md', 'utf8').split('\n')
    expect(rows.find((row) => row.startsWith(`| \`${kind}\` |`))).toContain(`"${title}"`)
  },
)

describe('nothing is public by accident', () => {
  /** Whatever apps and their authors see: the docs, the stories, and the tests, which use the package as an app does. */
  const texts = ['README.md', ...filesBelow('docs'), ...filesBelow('stories'), ...filesBelow('test')].map((path) =>
    readFileSync(path, 'utf8'),
  )
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

  /** Parts of `PetstoreLabels`, which does not mention them: its source derives it from the English labels. */
  const ofLabels = ['ErrorLabels', 'Formats']

  test.each(names.filter((name) => !ofLabels.includes(name)))(
    '%s is used outside of the source, or in the type of an export',
    (name) => {
      const isType = publicTypes.has(name)
      const isUsed = imported.has(name) || (isType && (isMentioned(name) || isPropsType(name)))
      expect(isUsed, 'No test, story or guide imports it: use it there, or do not export it.').toBe(true)
    },
  )
})

describe('the guide to hooks', () => {
  const sections = readFileSync('docs/hooks.md', 'utf8').split(/^## /m)

  test.each(names.filter((name) => name.startsWith('use')))(
    '%s has a section, with an example there or in its source, and is in the skill',
    (name) => {
      const section = sections.find((text) => text.startsWith(`${name}\n`))
      expect(section, 'its section').toBeDefined()
      expect(api[name]?.examples.length || section?.includes('```tsx')).toBeTruthy()
      expect(readFileSync('skills/petstore-react/SKILL.md', 'utf8')).toContain(name)
    },
  )
})

test('every example of toRouteHandlers has all methods, so that a new operation is served whatever its method', () => {
  const methods = Object.keys(toRouteHandlers(() => Promise.reject(new Error('no request'))))
  const files = ['README.md', 'src/server/createPetstoreHandler.ts', ...filesBelow('docs')]
  const examples = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/export const \{ ([\w, ]+) \} = toRouteHandlers/g),
  ])
  expect(examples.length).toBeGreaterThan(4)
  for (const [, list = ''] of examples) expect(list.split(', ')).toEqual(methods)
})
