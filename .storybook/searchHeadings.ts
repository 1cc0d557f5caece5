import { join } from 'node:path'
import type { StoryIndexGenerator } from 'storybook/internal/core-server'
import { allFacts } from '../stories/docs/components/allFacts.ts'
import { propId, sceneId, sections } from '../stories/docs/components/sections.ts'
import { kindOf, pageOf } from './apiKinds.ts'
import { entries, publicNames } from './entries.ts'
import { type Api, readApi } from './readApi.ts'

type StoryIndex = Awaited<ReturnType<StoryIndexGenerator['getIndex']>>

/** A heading of a docs page: its text, and its id in the page. */
interface Heading {
  readonly id: string
  readonly title: string
}

/**
 * Storybook's search finds the headings that an MDX file contains. This adds those that components render: the names of the
 * API reference, and the sections of a component's page.
 */
export function addHeadings(generator: StoryIndexGenerator, root: string): StoryIndexGenerator {
  const getIndex = generator.getIndex.bind(generator)
  generator.getIndex = async () => withHeadings(await getIndex(), root)
  return generator
}

function withHeadings(index: StoryIndex, root: string): StoryIndex {
  const api = readApi(join(root, 'src'))
  const generated = new Map([...referenceHeadings(root, api), ...componentHeadings(api)])
  const withOwn = Object.entries(index.entries).map(([id, entry]) => {
    if (entry.type !== 'docs') return [id, entry]
    const { anchors = [] } = entry
    return [id, { ...entry, anchors: [...(generated.get(id) ?? []), ...anchors] }]
  })
  return { ...index, entries: Object.fromEntries(withOwn) }
}

function referenceHeadings(root: string, api: Api): ReadonlyMap<string, readonly Heading[]> {
  const headings = new Map<string, Heading[]>()
  for (const path of Object.values(entries)) {
    for (const { name } of publicNames(join(root, path))) {
      const entry = api[name]
      const kind = entry && kindOf(entry)
      // The mock service has types for each of its options, which would come before the guides: `BanOptions` for "ban".
      if (!kind || (kind === 'testing' && entry.kind !== 'function')) continue
      const page = pageOf(kind)
      const known = headings.get(page) ?? []
      if (known.every(({ id }) => id !== name)) headings.set(page, [...known, { id: name, title: name }])
    }
  }
  return headings
}

/** Other words by which people look for a prop or a state: those of other libraries, or of what it shows. */
const otherWords: Readonly<Record<string, string>> = {
  'CategoryList/renderItem': 'renderRow',
  'CategoryList/Loading': 'skeleton',
  'MessageComposer/Outbox': 'edit, retry',
}

function componentHeadings(api: Api): ReadonlyMap<string, readonly Heading[]> {
  const own = Object.entries(sections).map(([id, title]) => ({ id, title }))
  return new Map(
    Object.entries(allFacts).map(([component, { scenes }]) => {
      const withWords = (name: string) => {
        const words = otherWords[`${component}/${name}`]
        return words === undefined ? name : `${name} (${words})`
      }
      const pictures = scenes.map(({ title }) => ({ id: sceneId(title), title: withWords(title) }))
      const props = api[`${component}Props`]?.members ?? []
      const rows = props.map(({ name }) => ({ id: propId(name), title: withWords(name) }))
      return [`${component.toLowerCase()}--docs`, [...own, ...pictures, ...rows]]
    }),
  )
}
