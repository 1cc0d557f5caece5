import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { readApi } from '../../.storybook/readApi.ts'
import { llmsFiles } from '../../stories/docs/llmsFiles.ts'

const files = llmsFiles(readApi('src'))
const { 'llms.txt': contents = '' } = files

/** The Markdown files that a text leads to, without those on other hosts. */
const linksOf = (text: string, from: string) =>
  Array.from(text.matchAll(/\]\((?!\w+:)([^)#]+\.md)(?:#[^)]*)?\)/g), ([, path = '']) =>
    posix.join(posix.dirname(from), path),
  )

test('llms.txt has a title, a summary and sections of links, each with a sentence', () => {
  expect(contents).toMatch(/^# petstore-react\n\n> .+\.\n\n[^#]+\n\n## Guides\n/)
  const lines = contents.split('\n').filter((line) => line.startsWith('- '))
  expect(lines.filter((line) => !/^- \[[^\]]+\]\([\w./-]+\): .{20,}\.$/.test(line))).toEqual([])
})

test('llms.txt lists each page of the guides, of the components, and the skill', () => {
  // Readers load each link from the site.
  expect(contents).not.toMatch(/\]\(\w+:/)
  const pages = Object.keys(files).filter((path) => path !== 'llms.txt' && path !== 'docs/README.md')
  expect(new Set(linksOf(contents, 'llms.txt'))).toEqual(new Set(pages))
  expect(pages).toContain('docs/rate-limits.md')
  expect(pages).toContain('docs/components/CategoryList.md')
  expect(pages).toContain('skills/petstore-react/SKILL.md')
})

test('no link of a file leads to a missing one', () => {
  const missing = Object.entries(files).flatMap(([path, text]) =>
    linksOf(text, path).flatMap((target) => (target in files ? [] : [`${path}: ${target}`])),
  )
  expect(missing).toEqual([])
})
