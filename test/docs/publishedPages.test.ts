import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { createPetstoreService } from '../../src/testing.ts'
import { headingsOf } from '../../stories/docs/guideText.ts'

const { files: patterns } = manifest

/** The files of a pattern of `files`: a file, a folder, or the pages in a folder. */
function filesOf(pattern: string): readonly string[] {
  if (pattern.endsWith('/*.md')) {
    const folder = posix.dirname(pattern)
    return readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : []))
  }
  if (!statSync(pattern).isDirectory()) return [pattern]
  return readdirSync(pattern, { recursive: true, encoding: 'utf8' }).map((name) => `${pattern}/${name}`)
}

/** What npm publishes, without what a build writes. */
const published = new Set(['README.md', 'LICENSE', 'package.json'])
for (const pattern of patterns) {
  if (pattern.startsWith('!')) published.delete(pattern.slice(1))
  else if (pattern !== 'dist') for (const path of filesOf(pattern)) published.add(path)
}
const pages = [...published]
  .filter((path) => path.endsWith('.md'))
  .map((path): [string, string] => [path, readFileSync(path, 'utf8')])

/** What is in no block of code and in no comment: comments are for the playground. */
const withoutBlocks = (text: string) => text.replaceAll(/^```.*?^```$|<!-- .*? -->/gms, '')

/** The ids that a host of Markdown gives to the headings of a page. */
const idsOf = (text: string) => headingsOf(withoutBlocks(text)).map(({ id }) => id)

test('the package has the pages', () => {
  expect(pages.map(([path]) => path)).toEqual(
    expect.arrayContaining(['README.md', 'SECURITY.md', 'docs/recipes.md', 'docs/components/CategoryList.md']),
  )
  expect(published).not.toContain('docs/evidence.md')
})

test.each(pages)('every link of %s leads to something that the package has', (page, text) => {
  const links = Array.from(
    withoutBlocks(text).matchAll(/(?:\]\(|src(?:set)?=")(?!\w+:)([^)"\s#]*)(?:#([^)\s]*))?[)"]/g),
  )
  const broken = links.flatMap(([link, path = '', id]) => {
    const target = path === '' ? page : posix.join(posix.dirname(page), path)
    // Where people read README, its pictures come from the repository.
    if (target.endsWith('.webp')) return existsSync(target) ? [] : [link]
    const hasId = id === undefined || idsOf(readFileSync(target, 'utf8')).includes(id)
    return published.has(target) && hasId ? [] : [link]
  })
  expect(broken).toEqual([])
})

const repository = 'https://github.com/example/petstore-react'

test.each(pages)('every file that %s names is in the package, or the page leads to the repository', (_, text) => {
  const names = Array.from(withoutBlocks(text).matchAll(/`([\w.-]+(?:\/[\w.[\]-]+)+)`/g), ([, name = '']) => name)
  const missing = names.filter((name) => existsSync(name) && !published.has(name))
  expect(text.includes(repository) ? [] : missing).toEqual([])
})

test.each(pages.filter(([path]) => path !== 'README.md' && path !== 'CHANGELOG.md'))(
  '%s names no command of the repository',
  (_, text) => {
    expect(text.match(/npm run [\w:-]+/g)).toBeNull()
  },
)

test('README.md is short: the rest is in the guides', () => {
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThan(200)
})

test.each(pages.filter(([path]) => path.startsWith('docs/') || path.startsWith('skills/')))(
  '%s needs no playground',
  (_, text) => {
    // What only the playground shows is in comments.
    const body = text.replaceAll(/<!-- .*? -->/gs, '')
    expect(body.match(/.*\b(?:playground|toolbar of)\b.*/gi)).toBeNull()
  },
)

test('every address for messages in the pages is one that the mock service has, on some host', () => {
  const { quickstartBaseUrl } = createPetstoreService()
  const { pathname } = new URL(quickstartBaseUrl)
  const addresses = pages.flatMap(([page, text]) =>
    Array.from(text.matchAll(/quickstartBaseUrl(?:=|: )["'{]+(?:\w+: )?([^"'}]+)["'}]/g), ([, address = '']) => ({
      page,
      address,
    })),
  )
  const texts = addresses.filter(({ address }) => address.includes('/'))
  expect(texts.length).toBeGreaterThan(3)
  const known = ['/api/petstore/quickstart', `https://your-petstore-host${pathname}`]
  expect(texts.filter(({ address }) => !known.includes(address))).toEqual([])
})
