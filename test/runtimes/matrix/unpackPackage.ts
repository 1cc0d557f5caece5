import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the entries without React import. */
const dependencies = ['@standard-schema/spec', 'zod']

/**
 * Packs this package and unpacks it into the `node_modules` of a folder, beside its dependencies, so that every runtime
 * finds the same files as in an app.
 */
export function unpackPackage(folder: string): void {
  const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    encoding: 'utf8',
  }).trim()
  const target = join(folder, 'node_modules/petstore-react')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, packed), '--strip-components=1', '-C', target])
  for (const name of dependencies) {
    cpSync(join('node_modules', name), join(folder, 'node_modules', name), { recursive: true, dereference: true })
  }
  const { version } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
  // Deno uses `node_modules` if a package.json says what is in it.
  const manifest = { private: true, type: 'module', dependencies: { 'petstore-react': version } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
}
