import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entries } from '../../.storybook/entries.ts'
import { readApi } from '../../.storybook/readApi.ts'

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

/** The guides and the pages of the components. */
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((path) => `docs/${path.replaceAll('\\', '/')}`)
  // The examples of `frameworks.md` are files of whole apps, which `npm run test:consumers` builds.
  .filter((path) => path.endsWith('.md') && !path.startsWith('docs/decisions/') && path !== 'docs/frameworks.md')

/** Whether an example is only the signature of a function, such as `useSecondsUntil(until: number): number`. */
const isSignature = ({ language, code }: Example) => language === 'ts' && /^\w+[<(].*\n$/.test(code)

/** The `@example`s of the hooks in TSDoc, which the reference shows. */
const sourceExamples: readonly Example[] = Object.values(readApi(join(root, 'src'))).flatMap(({ name, examples }) =>
  name.startsWith('use') ? examples.map((code, index) => ({ file: name, line: index + 1, language: 'tsx', code })) : [],
)

const withFileName = ({ file, line, language, code }: Example) => ({
  name: `${file.replaceAll(/\W+/g, '-')}-line-${line}.${language}`,
  code,
})

interface NamedExample {
  /** A file name, which the complaints show. */
  readonly name: string
  readonly code: string
}

/** Compiles each example as a module of an app that has installed the package. Returns what the compiler complains about. */
function compileExamples(examples: readonly NamedExample[]): string {
  // The compiler finds the packages from here.
  const parent = join(root, 'node_modules/.cache')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'examples-'))
  try {
    for (const { name, code } of examples) writeFileSync(join(folder, name), code)
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noUnusedLocals: false, // An example shows a part of an app, so it may declare names that it does not use.
        paths: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, [join(root, path)]])),
      },
      files: [...examples.map(({ name }) => name), join(root, 'src/environment.d.ts')],
      include: [],
      exclude: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    return complaintsAbout(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function complaintsAbout(folder: string): string {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' })
    return ''
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) return String(error.stdout)
    throw error
  }
}

test('every example of the documentation compiles as a module of its own', () => {
  const examples = ['README.md', 'skills/petstore-react/SKILL.md', ...pages].flatMap(examplesIn)
  const modules = [...examples.filter((example) => !isSignature(example)), ...sourceExamples].map(withFileName)
  expect(modules.length).toBeGreaterThan(50)
  expect(compileExamples(modules)).toBe('')
  // One run of the compiler takes long on a busy machine.
}, 180_000)
