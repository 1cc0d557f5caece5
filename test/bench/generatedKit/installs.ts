import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const folder = process.cwd()
const root = join(folder, '../../..')

/** Packs the package as for npm, and lays it where the apps find it. */
export function installOurs(): void {
  const packed = join(folder, 'node_modules/.kit')
  const place = join(folder, 'node_modules/petstore-react')
  for (const path of [packed, place]) rmSync(path, { recursive: true, force: true })
  for (const path of [packed, place]) mkdirSync(path, { recursive: true })
  execFileSync('npm', ['pack', '--silent', '--pack-destination', packed], { cwd: root })
  const tarball = join(packed, readdirSync(packed).find((name) => name.endsWith('.tgz')) ?? '')
  execFileSync('tar', ['-xzf', tarball, '-C', place, '--strip-components=1'])
}

/** What npm installs for these packages beyond what it installs for those: the files of all that they depend on. */
export function installed(names: readonly string[], beyond: readonly string[] = []) {
  const there = packagesOf(beyond)
  const added = [...packagesOf(names)].filter((path) => !there.has(path))
  return { bytes: added.reduce((sum, path) => sum + sizeOf(path), 0), packages: added.length }
}

function packagesOf(names: readonly string[], from = folder, found = new Set<string>()): Set<string> {
  for (const name of names) {
    const path = find(name, from)
    if (path === undefined || found.has(path)) continue
    found.add(path)
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    packagesOf(Object.keys({ ...dependencies, ...optionalDependencies }), path, found)
  }
  return found
}

/** Where Node finds a package; `undefined` for one that belongs to another platform. */
function find(name: string, from: string): string | undefined {
  const path = join(from, 'node_modules', name)
  if (existsSync(path)) return path
  return from === dirname(from) ? undefined : find(name, dirname(from))
}

/** Without what is nested: those are packages of their own. */
function sizeOf(path: string): number {
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => (entry.isDirectory() ? sizeOf(join(path, entry.name)) : statSync(join(path, entry.name)).size))
    .reduce((sum, size) => sum + size, 0)
}
