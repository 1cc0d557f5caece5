import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoryIndexGenerator } from 'storybook/internal/core-server'
import { stateName } from '../stories/docs/components/stateName.ts'
import { type Heading, headingsOf } from '../stories/docs/guideText.ts'
import { readReference } from './readReference.ts'

type StoryIndex = Awaited<ReturnType<StoryIndexGenerator['getIndex']>>

/** What the search calls a page that has no headings, by the id of the page. Default: the last part of its title. */
const searchTitles: Readonly<Record<string, string>> = { 'categoryform--all-states': 'Buttons and fields' }

/**
 * Storybook's search finds the headings that an MDX file contains. This adds those of the files in `docs`, and the names in
 * the API reference. The names of stories have one capital letter, as on the docs pages, and a result begins with the kind
 * of its page: "Guide / Avoid a ban".
 */
export function addHeadings(generator: StoryIndexGenerator, root: string): StoryIndexGenerator {
  const getIndex = generator.getIndex.bind(generator)
  generator.getIndex = async () => withHeadings(await getIndex(), root)
  return generator
}

/** Idempotent: Storybook may call `addHeadings` twice for one generator. */
function withHeadings(index: StoryIndex, root: string): StoryIndex {
  const reference = readReference(root)
  const headingsOfPage = (id: string, title: string, ownHeadings: readonly Heading[]): Heading[] => {
    const [, section, page = ''] = /^(guides|reference)-(.+)--docs$/.exec(id) ?? []
    const names = section === 'reference' ? reference[page] : undefined
    if (names) return names.map(({ name }) => ({ id: name, title: name }))
    const path = join(root, 'docs', section === 'guides' ? `${page}.md` : `components/${title.replace(/.*\//, '')}.md`)
    if (existsSync(path) && id.endsWith('--docs')) return headingsOf(readFileSync(path, 'utf8'))
    // An anchor of a story (`anchor--…`) is no heading: the index has an entry for each story.
    const others = ownHeadings.filter((heading) => !heading.id.startsWith('anchor--'))
    // A result for a page without headings would say only what kind of page it is, such as "Docs".
    return others.length > 0 ? others : [{ id: '', title: searchTitles[id] ?? title.replace(/.*\//, '') }]
  }
  const entriesWithHeadings = Object.entries(index.entries).map(([id, entry]) => {
    if (entry.type !== 'docs') return [id, { ...entry, name: stateName(entry.name) }]
    const { title, anchors = [] } = entry
    const [, name = entry.name] = /^(Guide|Reference)s?\//.exec(title) ?? []
    return [id, { ...entry, name, anchors: headingsOfPage(id, title, anchors) }]
  })
  return { ...index, entries: Object.fromEntries(entriesWithHeadings) }
}
