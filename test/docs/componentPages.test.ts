import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { storyNameFromExport } from 'storybook/internal/csf'
import { readApi } from '../../.storybook/readApi.ts'
import { en } from '../../src/labels/en.ts'
import { anatomyParts } from '../../stories/docs/components/anatomyParts.ts'
import { adviceViews, sceneViews } from '../../stories/docs/components/sceneViews.tsx'
import { headingsOf } from '../../stories/docs/guideText.ts'

const api = readApi('src')
const components = readdirSync('src/components', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

/** The names in the first column of the table below a heading. */
const namesBelow = (text: string, heading: string): readonly string[] => {
  const [, section = ''] = text.split(new RegExp(`^## ${heading}$`, 'm'))
  return Array.from((section.split(/^## /m)[0] ?? '').matchAll(/^\| `([\w.-]+)\??` \|/gm), ([, name = '']) => name)
}

/** The names of texts, such as `errors.network.title`. */
const namesOf = (labels: object, prefix = ''): readonly string[] =>
  Object.entries(labels).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value ? namesOf(value, `${prefix}${name}.`) : [`${prefix}${name}`],
  )

/** The English texts that take no arguments. */
const textsOf = (labels: object): readonly string[] =>
  Object.values(labels).flatMap((value: unknown) =>
    typeof value === 'string' ? [value] : typeof value === 'object' && value ? textsOf(value) : [],
  )

test('docs/README.md lists the page of every component', () => {
  const contents = readFileSync('docs/README.md', 'utf8')
  expect(components.filter((name) => !contents.includes(`(components/${name}.md)`))).toEqual([])
})

describe.each(components)('docs/components/%s.md', (name) => {
  const path = `docs/components/${name}.md`
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''

  test('has every prop', () => {
    const props = api[`${name}Props`]?.members.map((member) => member.name) ?? []
    expect(props).not.toEqual([])
    expect(namesBelow(text, 'Props')).toEqual(props)
  })

  test('has every part once, and the numbers go on from picture to picture', () => {
    const pictures = anatomyParts(text)
    const numbered = [...pictures.values()].flatMap((parts) => [...parts])
    // CategoryManager has no class names: its parts are components.
    const parts = api[`${name}ClassNames`]?.members.map((member) => member.name) ?? ['list', 'form', 'badge']
    expect(numbered.map(([part]) => part).toSorted()).toEqual(parts.toSorted())
    expect(numbered.map(([, number]) => number)).toEqual(numbered.map((_, index) => index + 1))
    const views = Object.keys(sceneViews).filter((key) => key.startsWith(`${name}/`))
    expect([...pictures.keys()].map((title) => `${name}/${title}`)).toEqual(views)
  })

  test('begins with when to use it and what to use instead, then lets people try it before it gives advice', () => {
    const titles = headingsOf(text).map(({ title }) => title)
    expect(titles.slice(1, 4)).toEqual(['Try it', 'States', 'Do and don’t'])
    const [beginning = ''] = text.split('<!-- story: ')
    expect(beginning).toMatch(/^- \*\*Use it when\*\* .+\.$/m)
    expect(beginning).toMatch(/^- \*\*Use \[.+\) (?:instead|alone) when\*\* .+\.$/m)
  })

  test('shows what to do and what not', () => {
    const pictures = Array.from(text.matchAll(/^<!-- story: (do|don't): .+\. -->$/gm), ([, kind]) => `${name}/${kind}`)
    expect(pictures).toEqual([`${name}/do`, `${name}/don't`])
    expect(pictures.filter((picture) => !adviceViews[picture])).toEqual([])
  })

  test('marks keys as keys', () => {
    const [, section = ''] = text.split('## Keyboard\n')
    const [table = ''] = section.split(/^## /m)
    expect(table.replaceAll(/<kbd>[^<]+<\/kbd>/g, '')).not.toMatch(
      /^\| [^|]*\b(?:Tab|Enter|Space|Shift|Ctrl|Return)\b/m,
    )
  })

  test('shows stories that exist', () => {
    const source = readFileSync(`stories/${name}.stories.tsx`, 'utf8')
    const stories = Array.from(source.matchAll(/^export const (\w+) = meta\.story/gm), ([, story = '']) =>
      storyNameFromExport(story),
    )
    const shown = Array.from(
      text.matchAll(/^<!-- story: (?!anatomy of |do: |don't: |All states)(.+) -->$/gm),
      ([, story = '']) => story,
    )
    expect(shown.length).toBeGreaterThan(3)
    expect(shown.filter((story) => !stories.includes(story))).toEqual([])
  })

  test('has every label with its English text', () => {
    const found: unknown = Reflect.get(en, name.charAt(0).toLowerCase() + name.slice(1))
    const labels = typeof found === 'object' && found ? found : {}
    expect(namesBelow(text, 'Default words')).toEqual(namesOf(labels))
    expect(textsOf(labels).filter((label) => !text.includes(`| ${label} |`))).toEqual([])
  })
})
