/**
 * `npm run bench -- <name> [arguments]` runs a benchmark. Without a name it lists them. The README of a benchmark's folder
 * says what it measures, and which arguments it takes.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

/**
 * - `folder`: below `test/bench`; its main file has the same name. Default: `name`.
 * - `programs`: what the main file starts as processes of their own.
 * - `usesPackage`: whether it measures the built package.
 */
const benchmarks = [
  { name: 'storm', about: 'other clients under the same limits' },
  { name: 'calm', about: 'who waits although the quota is free' },
  { name: 'first-list', about: 'how soon a page shows its first list', folder: 'firstList', usesPackage: true },
  { name: 'long-list', about: '100,000 categories beside other lists', folder: 'longList' },
  { name: 'tabs', about: 'what several tabs cost together' },
  { name: 'fleet', about: 'processes that share one key through Redis', programs: ['process.ts'] },
  {
    name: 'handler',
    about: 'the handler beside a plain forwarder',
    programs: ['subject.ts'],
    usesPackage: true,
  },
]

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Bundles programs of a folder. Returns the folder of the bundles, from which Node finds the installed packages. */
async function bundle(folder, programs) {
  const hasPackages = existsSync(`${folder}/package.json`)
  if (hasPackages) run('npm', ['ci', '--silent', '--prefix', folder])
  const outdir = hasPackages ? `${folder}/node_modules/.bench` : `node_modules/.bench/${basename(folder)}`
  await build({
    entryPoints: programs.map((program) => `${folder}/${program}`),
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
  return outdir
}

const [wanted, ...args] = process.argv.slice(2)
const benchmark = benchmarks.find(({ name, folder }) => wanted === name || (wanted !== undefined && wanted === folder))
if (benchmark) {
  const { name, folder = name, programs = [], usesPackage = false } = benchmark
  if (usesPackage) run('npm', ['run', '--silent', 'build'])
  const outdir = await bundle(`test/bench/${folder}`, [`${folder}.ts`, ...programs])
  run('node', [`${outdir}/${folder}.js`, ...args])
} else {
  console.log('npm run bench -- <name>\n')
  for (const { name, about } of benchmarks) console.log(`  ${name.padEnd(12)}${about}`)
  process.exitCode = wanted === undefined ? 0 : 1
}
