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

/** Comments hold what only the playground shows. */
const withoutComments = (text: string) => text.replaceAll(/<!-- .*? -->/gs, '')
const withoutCode = (text: string) => withoutComments(text).replaceAll(/^```.*?^```$/gms, '')

/** The ids that GitHub gives to the headings of a page. */
const idsOf = (text: string) => headingsOf(withoutComments(text)).map(({ id }) => id)

test("users' guides are published, contributors' pages are not", () => {
  expect(pages.map(([path]) => path)).toEqual(
    expect.arrayContaining(['README.md', 'SECURITY.md', 'docs/recipes.md', 'docs/components/CategoryList.md']),
  )
  expect(published).not.toContain('docs/evidence.md')
})

test.each(pages)('every link of %s leads to something that the package has', (page, text) => {
  // `[Errors](errors.md#kinds)`, `src="pictures/list.webp"`, but no address with a scheme such as `https:`
  const links = withoutCode(text).matchAll(/(?:\]\(|src(?:set)?=")(?!\w+:)([^)"\s#]*)(?:#([^)\s]*))?[)"]/g)
  const broken = Array.from(links).flatMap(([link, path = '', id]) => {
    const target = path === '' ? page : posix.join(posix.dirname(page), path)
    // Pictures are not in the package; README loads them from the repository.
    if (target.endsWith('.webp')) return existsSync(target) ? [] : [link]
    const hasId = id === undefined || idsOf(readFileSync(target, 'utf8')).includes(id)
    return published.has(target) && hasId ? [] : [link]
  })
  expect(broken).toEqual([])
})

/** Pages that link to the repository may name files that only the repository has. */
const repository = 'https://github.com/example/petstore-react'
const pagesWithoutRepository = pages.filter(([, text]) => !text.includes(repository))

test.each(pagesWithoutRepository)('every file that %s names is in the package', (_, text) => {
  const names = Array.from(withoutCode(text).matchAll(/`([\w.-]+(?:\/[\w.[\]-]+)+)`/g), ([, name = '']) => name)
  expect(names.filter((name) => existsSync(name) && !published.has(name))).toEqual([])
})

test.each(pages)('%s names no command of the repository', (_, text) => {
  expect(text.match(/npm run [\w:-]+/g)).toBeNull()
})

test('README.md has fewer than 200 lines: the rest is in the guides', () => {
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThan(200)
})

test.each(pages.filter(([path]) => path.startsWith('docs/') || path.startsWith('skills/')))(
  '%s does not mention the playground',
  (_, text) => {
    expect(withoutComments(text).match(/.*\b(?:playground|toolbar of)\b.*/gi)).toBeNull()
  },
)

test("every `quickstartBaseUrl` in the pages is the handler's path or the service's path on your-petstore-host", () => {
  const { pathname } = new URL(createPetstoreService().quickstartBaseUrl)
  const known = ['/api/petstore/quickstart', `https://your-petstore-host${pathname}`]
  // `quickstartBaseUrl="/api"` and `quickstartBaseUrl: '/api'`, but no variable, whose value the page does not show
  const literal = /quickstartBaseUrl(?:=\{?|: )["'](.+?)["']/g
  const literalAddresses = pages.flatMap(([page, text]) =>
    Array.from(text.matchAll(literal), ([, address = '']) => ({ page, address })),
  )
  expect(literalAddresses.length).toBeGreaterThan(3)
  expect(literalAddresses.filter(({ address }) => !known.includes(address))).toEqual([])
})
