import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoryIndexGenerator } from 'storybook/internal/core-server'
import { stateName } from '../stories/docs/components/stateName.ts'
import { type Heading, headingsOf } from '../stories/docs/guideText.ts'
import { readReference } from './readReference.ts'

type StoryIndex = Awaited<ReturnType<StoryIndexGenerator['getIndex']>>

/**
 * Storybook's search finds the headings that an MDX file contains. This adds those of the files in `docs`, and the names in
 * the API reference. The names of stories become sentences, as on the docs pages.
 */
export function addHeadings(generator: StoryIndexGenerator, root: string): StoryIndexGenerator {
  const getIndex = generator.getIndex.bind(generator)
  generator.getIndex = async () => withHeadings(await getIndex(), root)
  return generator
}

function withHeadings(index: StoryIndex, root: string): StoryIndex {
  const reference = readReference(root)
  const headingsOfPage = (id: string, title: string): readonly Heading[] => {
    const [, section, page = ''] = /^(guides|reference)-(.+)--docs$/.exec(id) ?? []
    if (section === 'reference') return (reference[page] ?? []).map(({ name }) => ({ id: name, title: name }))
    const path = join(root, 'docs', section === 'guides' ? `${page}.md` : `components/${title.replace(/.*\//, '')}.md`)
    return existsSync(path) && id.endsWith('--docs') ? headingsOf(readFileSync(path, 'utf8')) : []
  }
  const withOwn = Object.entries(index.entries).map(([id, entry]) =>
    entry.type === 'docs'
      ? [id, { ...entry, anchors: [...headingsOfPage(id, entry.title), ...(entry.anchors ?? [])] }]
      : [id, { ...entry, name: stateName(entry.name) }],
  )
  return { ...index, entries: Object.fromEntries(withOwn) }
}
