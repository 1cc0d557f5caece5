/** Checks the packed package as apps see it: how its entries resolve, and their types. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { undocumented } from './undocumented.mjs'

const folder = mkdtempSync(join(tmpdir(), 'petstore-package-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

// `npm pack` also builds the package, by its script `prepack`.
execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { stdio: 'inherit' })
const { name, version, exports } = JSON.parse(readFileSync('package.json', 'utf8'))
const archive = join(folder, `${name}-${version}.tgz`)
const withoutTypes = Object.keys(exports).filter((entry) => /\.(css|json)$/.test(entry) && entry !== './package.json')
const run = (command, ...args) => execFileSync('npx', [command, ...args], { stdio: 'inherit' })

const declarations = readdirSync('dist', { recursive: true }).filter((path) => path.endsWith('.d.ts'))
const names = declarations.flatMap((path) => undocumented(join('dist', path)))
if (names.length > 0) throw new Error(`An editor shows no text for: ${names.join(', ')}`)

run('publint', archive, '--strict')
run('attw', archive, '--profile', 'esm-only', '--exclude-entrypoints', ...withoutTypes.map((entry) => entry.slice(2)))
