import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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

const pages = readdirSync(join(root, 'stories'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.mdx'))
  .map((path) => `stories/${path}`)

/** The `@example`s of the hooks in TSDoc, which the page "Hooks and provider" shows. */
const sourceExamples: readonly Example[] = Object.values(readApi(join(root, 'src'))).flatMap(({ name, examples }) =>
  name.startsWith('use') ? examples.map((code, index) => ({ file: name, line: index + 1, language: 'tsx', code })) : [],
)

test('every example of the documentation compiles as a module of its own', () => {
  const examples = [...['README.md', ...pages].flatMap(examplesIn), ...sourceExamples]
  expect(examples.length).toBeGreaterThan(5)
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, 'node_modules/.cache/examples-'))
  try {
    const names = examples.map(({ file, line, language, code }) => {
      const name = `${file.replaceAll(/\W+/g, '-')}-line-${line}.${language}`
      // An example shows a part of an app, so it may declare names that it does not use.
      writeFileSync(join(folder, name), `${code}\nexport {}\n`)
      return name
    })
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noUnusedLocals: false,
        paths: {
          'petstore-react': [join(root, 'src/index.ts')],
          'petstore-react/client': [join(root, 'src/client.ts')],
          'petstore-react/server': [join(root, 'src/server.ts')],
          'petstore-react/server/redis': [join(root, 'src/server/redis.ts')],
          'petstore-react/testing': [join(root, 'src/testing.ts')],
          'petstore-react/testing/node': [join(root, 'src/testing/node.ts')],
          'petstore-react/testing/react': [join(root, 'src/testing/react.ts')],
          'petstore-react/locales/*': [join(root, 'src/labels/*.ts')],
        },
      },
      files: [...names, join(root, 'src/environment.d.ts')],
      include: [],
      exclude: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    expect(complaintsAbout(folder)).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 30_000)

function complaintsAbout(folder: string): string {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' })
    return ''
  } catch (error) {
    if (error instanceof Error && 'stdout' in error) return String(error.stdout)
    throw error
  }
}
