import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
