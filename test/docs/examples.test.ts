import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readApi } from '../../.storybook/readApi.ts'
import { hasCode, readStoryCode } from '../../.storybook/storyCode.ts'
import { compileExamples } from './compileExamples.ts'

const root = join(import.meta.dirname, '../..')

interface Example {
  readonly file: string
  readonly line: number
  readonly language: string
  readonly code: string
}

function examplesIn(file: string): Example[] {
  const text = readFileSync(join(root, file), 'utf8')
  return Array.from(text.matchAll(/^```(tsx?)\n(.*?)^```/gms), ({ 1: language = '', 2: code = '', index }) => ({
    file,
    line: text.slice(0, index).split('\n').length,
    language,
    code,
  }))
}

const pages = readdirSync(join(root, 'stories'), { recursive: true, encoding: 'utf8' })
  // Its examples are files of whole apps, which `npm run test:consumers` builds.
  .filter((path) => path.endsWith('.mdx') && !path.endsWith('/Frameworks.mdx'))
  .map((path) => `stories/${path}`)

/** The `@example`s of the hooks in TSDoc, which the page "Hooks and provider" shows. */
const sourceExamples: readonly Example[] = Object.values(readApi(join(root, 'src'))).flatMap(({ name, examples }) =>
  name.startsWith('use') ? examples.map((code, index) => ({ file: name, line: index + 1, language: 'tsx', code })) : [],
)

const named = ({ file, line, language, code }: Example) => ({
  name: `${file.replaceAll(/\W+/g, '-')}-line-${line}.${language}`,
  code,
})

const storyFiles = readdirSync(join(root, 'stories'), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.stories.tsx'))

/** The code that the playground shows of each story. */
const storyCode = storyFiles.map((path) => [path, readStoryCode(join(root, 'stories', path))] as const)

test('every example of the documentation and the code of every story compile as modules of their own', () => {
  const examples = [
    ...['README.md', 'skills/petstore-react/SKILL.md', ...pages].flatMap(examplesIn),
    ...sourceExamples,
  ].map(named)
  expect(examples.length).toBeGreaterThan(5)
  const stories = storyCode.flatMap(([path, codes]) =>
    codes.filter(hasCode).map(({ story, code }) => ({ name: `${path.replaceAll(/\W+/g, '-')}-${story}.tsx`, code })),
  )
  expect(stories.length).toBeGreaterThan(100)
  expect(compileExamples([...examples, ...stories])).toBe('')
  // One compiler for all of them, which a busy machine lets wait.
}, 180_000)

test('only the simulation, the theme builder and the situations have no code to copy: they use what no entry exports', () => {
  const withoutCode = storyCode.flatMap(([path, codes]) =>
    codes.flatMap((story) => (hasCode(story) ? [] : `${path}: ${story.reason}`)),
  )
  expect(withoutCode.length).toBeGreaterThan(0)
  expect(
    withoutCode.filter(
      (text) =>
        !/^(?:Situations\.|(?:QuotaLab|themeBuilder\/ThemeBuilder)\.stories\.tsx: No entry exports )/.test(text),
    ),
  ).toEqual([])
})
