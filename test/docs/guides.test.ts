import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readApi } from '../../.storybook/readApi.ts'
import { consumers } from '../consumers/consumers.ts'
import { readFrameworkGuide } from '../consumers/frameworkGuide.ts'
import { guideFiles, guideMarkdown, readHookPages } from '../../stories/docs/guideMarkdown.ts'

const api = readApi('src')
const texts = new Map(guideFiles.map((name) => [name, readFileSync(`stories/docs/${name}`, 'utf8')]))
const files = guideMarkdown([...texts.values()], api, readHookPages('stories/docs'))

/** For people who work on the project; the playground does not show it. */
const ownPages = new Set(['contributing-reference.md', 'evidence.md', 'how-the-gate-works.md'])

test('the Markdown in `docs` is what the pages of the playground say; `npm run guides` writes it', () => {
  const stored = ['', 'components/'].flatMap((folder) =>
    readdirSync(`docs/${folder}`).flatMap((name) =>
      name.endsWith('.md') && !ownPages.has(name) ? `${folder}${name}` : [],
    ),
  )
  expect(new Set(stored)).toEqual(new Set(Object.keys(files)))
  for (const [path, text] of Object.entries(files)) expect(readFileSync(`docs/${path}`, 'utf8')).toBe(text)
})

test('every guide of the playground is among them', () => {
  const guides = readdirSync('stories/docs').filter(
    (name) => name.endsWith('.mdx') && readFileSync(`stories/docs/${name}`, 'utf8').includes('<Meta title="Guides/'),
  )
  expect(new Set(guideFiles)).toEqual(new Set(guides))
})

test('nothing of the playground is left in them', () => {
  for (const [path, text] of Object.entries(files)) {
    const withoutCode = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`]*`/g, '')
    expect([path, withoutCode.match(/<[A-Z]\w*|\?path=|^import |^export /gm)]).toEqual([path, null])
  }
})

test('blocks become tables, signatures and text', () => {
  const guide = (body: string) => `<Meta title="Guides/Try it" id="guides-try-it" />\n\n# Try it\n\n${body}\n`
  const markdownOf = (body: string) => guideMarkdown([guide(body)], api)['try-it.md']
  expect(markdownOf('<Fields of="RetryOptions" />')).toContain('| `attempts?` | `number` | How many requests')
  expect(markdownOf('<Signature of="prefetchCategories" />')).toMatch(/```ts\n.*prefetchCategories\(/)
  expect(markdownOf('<ErrorKinds />')).toContain('| `timeout` | No response within `timeout`')
  expect(markdownOf('```tsx\nimport x from "y"\n<Names />\n```')).toContain('import x from "y"\n<Names />')
  expect(markdownOf('[Here](?path=/docs/guides-try-it--docs#a-b)')).toContain('[Here](try-it.md#a-b)')
  expect(() => markdownOf('[Lab](?path=/story/quota-lab--burst)')).toThrow('no page for [Lab]')
  const alone = '{/* playground */}\n\nSee it:\n\n<div className="frame">\n  <QuotaLab />\n</div>\n\n{/* end */}\n'
  expect(markdownOf(`Before.\n\n${alone}\nAfter{/* playground */}, as the [Lab](?path=/x) shows{/* end */}.`)).toMatch(
    /\n\nBefore\.\n\nAfter\.\n$/,
  )
  expect(() => markdownOf('<Unheard />')).toThrow('cannot show <Unheard />')
})

test('an app of the guide to frameworks is built from its text by `npm run test:consumers`, or the guide says that it is not', () => {
  const titles = Array.from(files['frameworks.md']?.matchAll(/^## (.+)$/gm) ?? [], ([, title = '']) => title)
  expect(titles.length).toBeGreaterThan(4)
  const built = consumers.flatMap((consumer) => ('guide' in consumer && consumer.guide) || [])
  const [, notBuilt = ''] = /Those for ([^.]+) are not built in CI/.exec(files['frameworks.md'] ?? '') ?? []
  expect([...built, ...notBuilt.split(/, | and /)]).toEqual(titles)
  for (const guide of titles.map(readFrameworkGuide)) {
    expect(guide.dependencies).toContain('petstore-react')
    expect(guide.build.length).toBeGreaterThan(0)
    expect([...guide.files.keys()].filter((path) => !/^[\w./[\]$-]+\.(?:[jt]sx?|html|astro)$/.test(path))).toEqual([])
  }
})
