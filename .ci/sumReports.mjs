/**
 * Prints `N passed, N failed, N skipped`, summed over the reports in a folder. Each step of `.ci/run` has a folder in it,
 * with its reports (JSON, as Vitest writes it) and its exit code in the file `exit-code`. Before that line it names what
 * failed, as the output of the steps is long.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const counts = { passed: 0, failed: 0, skipped: 0 }

/** A file that cannot be loaded fails without a failed test. */
const failedToLoad = ({ status, assertionResults }) =>
  status === 'failed' && !assertionResults.some((result) => result.status === 'failed')

/** A test’s name and how its messages begin, or the file that cannot be loaded. */
const describeFailures = (file) =>
  failedToLoad(file)
    ? [`${file.name}: ${file.message}`]
    : file.assertionResults
        .filter((result) => result.status === 'failed')
        .map((result) => `${file.name}: ${result.fullName}\n${result.failureMessages.join('\n').slice(0, 2_000)}`)

const [folder] = process.argv.slice(2)
for (const step of readdirSync(folder)) {
  const files = readdirSync(join(folder, step))
  const read = (name) => readFileSync(join(folder, step, name), 'utf8')
  const reports = files.filter((name) => name.endsWith('.json')).map((name) => JSON.parse(read(name)))
  let failed = 0
  for (const report of reports) {
    counts.passed += report.numPassedTests
    counts.skipped += report.numPendingTests + (report.numTodoTests ?? 0)
    failed += report.numFailedTests + report.testResults.filter(failedToLoad).length
    for (const failure of report.testResults.flatMap(describeFailures)) console.log(`failed in ${step}: ${failure}\n`)
  }
  // No report counts a wrong type, a lint error or a crash, and a step without a report has tested nothing.
  const exitCode = files.includes('exit-code') ? read('exit-code').trim() : 'unknown'
  const hasSucceeded = reports.length > 0 && exitCode === '0'
  if (!hasSucceeded) console.log(`${step}: exit code ${exitCode} (124: timed out), ${reports.length} report(s)\n`)
  counts.failed += hasSucceeded ? failed : Math.max(failed, 1)
}

console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
if (counts.failed > 0) process.exitCode = 1
