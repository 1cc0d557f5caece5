import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** The content of each file, by step and name. */
type Steps = Readonly<Record<string, Readonly<Record<string, string>>>>

const report = (passed: number, failed: number, pending: number, more: object = {}) =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    testResults: [],
    ...more,
  })

function sum(steps: Steps) {
  const folder = mkdtempSync(join(tmpdir(), 'reports-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [step, files] of Object.entries(steps)) {
    mkdirSync(join(folder, step))
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, step, name), content)
  }
  const script = join(import.meta.dirname, '../.ci/sumReports.mjs')
  const { stdout, status } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })
  return { stdout, status }
}

test('adds up the reports of all steps', () => {
  const daily = { 'exit-code': '0\n', 'test.json': report(10, 0, 1, { numTodoTests: 2 }) }
  const deep = { 'exit-code': '0\n', 'deep.json': report(5, 0, 0) }
  expect(sum({ daily, deep })).toEqual({ stdout: '15 passed, 0 failed, 3 skipped\n', status: 0 })
})

test('counts failed tests, and fails itself', () => {
  const daily = { 'exit-code': '1\n', 'test.json': report(10, 2, 0) }
  expect(sum({ daily })).toEqual({ stdout: '10 passed, 2 failed, 0 skipped\n', status: 1 })
})

test('counts a file that cannot be loaded as failed, although it has no failed test', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed' }] },
  ]
  const daily = { 'exit-code': '1\n', 'test.json': report(3, 1, 0, { testResults }) }
  expect(sum({ daily })).toEqual({ stdout: '3 passed, 2 failed, 0 skipped\n', status: 1 })
})

test.each<[string, Steps[string]]>([
  ['fails without a failed test, as by a wrong type', { 'exit-code': '2\n', 'test.json': report(3, 0, 0) }],
  ['ends before it has an exit code', { 'test.json': report(3, 0, 0) }],
])('counts a step as failed that %s', (_, daily) => {
  expect(sum({ daily })).toEqual({ stdout: '3 passed, 1 failed, 0 skipped\n', status: 1 })
})

test('counts a step as failed that succeeds without any report', () => {
  expect(sum({ daily: { 'exit-code': '0\n' } })).toEqual({ stdout: '0 passed, 1 failed, 0 skipped\n', status: 1 })
})
