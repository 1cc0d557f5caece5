import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entries } from '../../.storybook/entries.ts'

const root = join(import.meta.dirname, '../..')

interface NamedExample {
  /** A file name, which the complaints show. */
  readonly name: string
  readonly code: string
}

/** Compiles each example as a module of an app that has installed the package. Returns what the compiler complains about. */
export function compileExamples(examples: readonly NamedExample[]): string {
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
