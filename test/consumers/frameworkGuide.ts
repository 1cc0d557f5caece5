import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serverKey } from './Visit.ts'

/** What a section of `docs/frameworks.md` tells its readers to do. */
interface FrameworkGuide {
  /** The code by the path of the file, which the sentence before the code begins with. */
  readonly files: ReadonlyMap<string, string>
  /** The packages of `npm install`. */
  readonly dependencies: readonly string[]
  /** The packages of `npm install --save-dev`. */
  readonly devDependencies: readonly string[]
  readonly build: readonly string[]
  readonly start: string
}

/** The address in the text, which its readers replace. */
const exampleAddress = 'https://your-petstore-host/v1'

export function readFrameworkGuide(title: string): FrameworkGuide {
  const sections = readFileSync('docs/frameworks.md', 'utf8').split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? ''
  const blocks = [...section.matchAll(/([^\n]+(?:\n[^\n]+)*)\n\n```(\w+)\n(.*?)^```$/gms)]
  const commands = blocks.flatMap(([, , language, code = '']) => (language === 'sh' ? code.trim().split('\n') : []))
  const packages = (pattern: RegExp) =>
    commands.flatMap((command) => pattern.exec(command)?.[1]?.split(' ') ?? []).toSorted()
  const steps = commands.filter((command) => !command.startsWith('npm '))
  return {
    files: new Map(
      blocks.flatMap(([, before = '', language, code = '']) => {
        // The sentence may be the last of its paragraph.
        const path = /(?:^|\n)`([^`]+)`[^`]*(?:`[^`]*`[^`]*)*$/.exec(before)?.[1]
        return language === 'sh' ? [] : [[path ?? assert.fail(`No file name before:\n${code}`), code] as const]
      }),
    ),
    dependencies: packages(/^npm install (?!-)(.+)/),
    devDependencies: packages(/^npm install --save-dev (.+)/),
    build: steps.slice(0, -1),
    start: steps.at(-1) ?? assert.fail(`docs/frameworks.md does not say how to start an app of ${title}.`),
  }
}

/** Writes the files of a guide into a folder that has nothing but the packages to install. */
export function writeFrameworkApp(guide: FrameworkGuide, folder: string, baseUrl: string): void {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  assert.deepEqual(Object.keys(dependencies).toSorted(), guide.dependencies, 'The guide installs other packages.')
  assert.deepEqual(Object.keys(devDependencies).toSorted(), guide.devDependencies, 'The guide installs other packages.')
  for (const [path, code] of guide.files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), code.replaceAll(exampleAddress, baseUrl))
  }
  // Stricter than what an app needs. It has another name, so that no build reads it.
  cpSync('test/consumers/frameworks.tsconfig.json', join(folder, 'check.tsconfig.json'))
}

/** The key is in the environment of the build too, and must be in nothing that it writes. */
export function assertBuildHasNoKey(folder: string): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name)
    assert(!readFileSync(path).includes(serverKey), `The build has written the key into ${path}.`)
  }
}
