/**
 * `npm run bench -- <name> [arguments]` runs a benchmark. Without a name it lists them. The README of a benchmark's folder
 * says what it measures, and which arguments it takes.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { build } from 'esbuild'

/**
 * - `folder`: below `test/bench`; its main file has the same name. Default: `name`.
 * - `usesPackage`: whether it measures the built package.
 */
const benchmarks = [
  { name: 'storm', about: 'other clients under the same limits' },
  { name: 'calm', about: 'who waits although the quota is free' },
  { name: 'first-list', about: 'how soon a page shows its first list', folder: 'firstList', usesPackage: true },
  { name: 'long-list', about: '100,000 categories beside other lists', folder: 'longList' },
  { name: 'tabs', about: 'what several tabs cost together' },
]

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Bundles the main file of a folder below `test/bench`. Returns the bundle, from which Node finds the installed packages. */
async function bundle(name) {
  const folder = `test/bench/${name}`
  const hasPackages = existsSync(`${folder}/package.json`)
  if (hasPackages) run('npm', ['ci', '--silent', '--prefix', folder])
  const outdir = hasPackages ? `${folder}/node_modules/.bench` : `node_modules/.bench/${name}`
  await build({
    entryPoints: [`${folder}/${name}.ts`],
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
  return `${outdir}/${name}.js`
}

const [wanted, ...args] = process.argv.slice(2)
const benchmark = benchmarks.find(({ name, folder }) => wanted === name || (wanted !== undefined && wanted === folder))
if (benchmark) {
  const { name, folder = name, usesPackage = false } = benchmark
  if (usesPackage) run('npm', ['run', '--silent', 'build'])
  run('node', [await bundle(folder), ...args])
} else {
  console.log('npm run bench -- <name>\n')
  for (const { name, about } of benchmarks) console.log(`  ${name.padEnd(12)}${about}`)
  process.exitCode = wanted === undefined ? 0 : 1
}
