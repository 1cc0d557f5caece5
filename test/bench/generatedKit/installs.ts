import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const folder = process.cwd()
const root = join(folder, '../../..')

/** Packs the package as for npm, and unpacks it where the apps resolve it. */
export function installPetstoreReact(): void {
  const packFolder = join(folder, 'node_modules/.kit')
  const installFolder = join(folder, 'node_modules/petstore-react')
  for (const path of [packFolder, installFolder]) rmSync(path, { recursive: true, force: true })
  for (const path of [packFolder, installFolder]) mkdirSync(path, { recursive: true })
  execFileSync('npm', ['pack', '--silent', '--pack-destination', packFolder], { cwd: root })
  const tarball = join(packFolder, readdirSync(packFolder).find((name) => name.endsWith('.tgz')) ?? '')
  execFileSync('tar', ['-xzf', tarball, '-C', installFolder, '--strip-components=1'])
}

/**
 * The size of packages with all their dependencies.
 *
 * @param exclude - packages that do not count, nor do their dependencies
 */
export function installedSize(names: readonly string[], exclude: readonly string[] = []) {
  const excluded = packagesOf(exclude)
  const added = [...packagesOf(names)].filter((path) => !excluded.has(path))
  return { bytes: added.reduce((sum, path) => sum + sizeOf(path), 0), packages: added.length }
}

function packagesOf(names: readonly string[], from = folder, found = new Set<string>()): Set<string> {
  for (const name of names) {
    const path = resolvePackage(name, from)
    if (path === undefined || found.has(path)) continue
    found.add(path)
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    packagesOf(Object.keys({ ...dependencies, ...optionalDependencies }), path, found)
  }
  return found
}

/** Where Node finds a package; `undefined` if it is for another platform. */
function resolvePackage(name: string, from: string): string | undefined {
  const path = join(from, 'node_modules', name)
  if (existsSync(path)) return path
  return from === dirname(from) ? undefined : resolvePackage(name, dirname(from))
}

/** Skips nested `node_modules`, which hold other packages. */
function sizeOf(path: string): number {
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => (entry.isDirectory() ? sizeOf(join(path, entry.name)) : statSync(join(path, entry.name)).size))
    .reduce((sum, size) => sum + size, 0)
}
