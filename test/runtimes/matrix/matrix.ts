/**
 * Runs one program in every runtime, beside the in-memory service on ports, and prints a table. Arguments: parts of names
 * of runtimes (default all). `RUNTIMES=all` makes a missing one a failure.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checks } from './checks.ts'
import { type Runtime, runtimes, whyMissing } from './runtimes.ts'
import { testRuntime } from './testRuntime.ts'
import { unpackPackage } from './unpackPackage.ts'

const folder = mkdtempSync(join(tmpdir(), 'petstore-runtimes-'))
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Installs the binaries that are not there yet. They come inside packages, so no script of a package has to run. */
function install(): void {
  const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--silent']
  const { status, stderr } = spawnSync('npm', ['install', ...options, '--prefix', 'test/runtimes/matrix'], {
    encoding: 'utf8',
  })
  if (status !== 0) console.warn(`npm could not install the runtimes.\n${stderr}`)
}

const began = performance.now()
const wanted = process.argv.slice(2).map((name) => name.toLowerCase())
const chosen = runtimes.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.toLowerCase().includes(part)),
)
if (chosen.length === 0)
  throw new Error(`No runtime is named so. There are: ${runtimes.map(({ name }) => name).join(', ')}`)

install()
unpackPackage(folder)

const titles = [...checks.map(({ title }) => title), 'ends', 'silent']
const counts = { passed: 0, failed: 0, skipped: 0 }
const problems: string[] = []

/** The cells of one row; `undefined` if the runtime is skipped. */
async function rowOf(runtime: Runtime): Promise<readonly string[] | undefined> {
  const reason = whyMissing(runtime)
  if (reason !== undefined) {
    console.warn(`${runtime.name}: skipped, because ${reason}.`)
    counts[process.env['RUNTIMES'] === 'all' ? 'failed' : 'skipped'] += 1
    return undefined
  }
  const results = await testRuntime(runtime, folder)
  const cells = titles.map((title) => {
    const result = results.get(title)
    if (result === undefined) return '–'
    counts[result === 'passed' ? 'passed' : 'failed'] += 1
    if (result === 'passed') return '✓'
    problems.push(`${runtime.name}, ${title}: ${result.problem}`)
    return '✗'
  })
  return [runtime.name, runtime.version(), ...cells]
}

// At the same time, since most of it is waiting.
const found = await Promise.all(chosen.map(rowOf))
const rows = [['runtime', 'version', ...titles], ...found.filter((row) => row !== undefined)]
const widths = titles.concat('', '').map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length)))
for (const cells of rows) {
  console.log(
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
for (const problem of problems) console.error(`\n${problem}`)
const seconds = ((performance.now() - began) / 1_000).toFixed(0)
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} runtimes skipped, in ${seconds} s`)

const reports = process.env['TEST_REPORTS'] // `.ci/run` sums them up
if (reports) {
  // The fields of Vitest's reports that are summed.
  const { passed, failed, skipped } = counts
  const report = { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, testResults: [] }
  writeFileSync(join(reports, 'runtimes.json'), JSON.stringify(report))
}
// The services would go on for as long as their slowest response.
process.exit(counts.failed > 0 ? 1 : 0)
