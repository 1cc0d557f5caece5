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
  const [summary = '', ...before] = stdout.trimEnd().split('\n').reverse()
  return { summary, details: before.reverse().join('\n'), status }
}

test('adds up the reports of all steps', () => {
  const daily = { 'exit-code': '0\n', 'test.json': report(10, 0, 1, { numTodoTests: 2 }) }
  const deep = { 'exit-code': '0\n', 'deep.json': report(5, 0, 0) }
  expect(sum({ daily, deep })).toMatchObject({ summary: '15 passed, 0 failed, 3 skipped', details: '', status: 0 })
})

test('counts failed tests, and fails itself', () => {
  const daily = { 'exit-code': '1\n', 'test.json': report(10, 2, 0) }
  expect(sum({ daily })).toMatchObject({ summary: '10 passed, 2 failed, 0 skipped', status: 1 })
})

test('counts a file that cannot be loaded as failed, although it has no failed test', () => {
  const testResults = [
    { name: 'a.test.ts', message: 'no such module', status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed', failureMessages: [] }] },
  ]
  const daily = { 'exit-code': '1\n', 'test.json': report(3, 1, 0, { testResults }) }
  expect(sum({ daily })).toMatchObject({ summary: '3 passed, 2 failed, 0 skipped', status: 1 })
})

test.each<[string, Steps[string]]>([
  ['fails without a failed test, as by a wrong type', { 'exit-code': '2\n', 'test.json': report(3, 0, 0) }],
  ['ends before it has an exit code', { 'test.json': report(3, 0, 0) }],
])('counts a step as failed that %s', (_, daily) => {
  expect(sum({ daily })).toMatchObject({ summary: '3 passed, 1 failed, 0 skipped', status: 1 })
})

test('counts a step as failed that succeeds without any report', () => {
  expect(sum({ daily: { 'exit-code': '0\n' } })).toMatchObject({ summary: '0 passed, 1 failed, 0 skipped', status: 1 })
})

test('names what failed and what was ended before the summary, as the output of the steps is long', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'holds', failureMessages: [] },
    { status: 'failed', fullName: 'waits for the window', failureMessages: ['AssertionError: expected 2 to be 1'] },
  ]
  const testResults = [
    { name: 'gate.test.ts', status: 'failed', assertionResults },
    { name: 'page.test.ts', message: 'no such module', status: 'failed', assertionResults: [] },
  ]
  const daily = { 'exit-code': '1\n', 'test.json': report(1, 1, 0, { testResults }) }
  const { details } = sum({ daily, deep: { 'exit-code': '124\n' } })
  expect(details).toContain('failed in daily: gate.test.ts: waits for the window\nAssertionError: expected 2 to be 1')
  expect(details).toContain('failed in daily: page.test.ts: no such module')
  expect(details).toContain('deep: exit code 124 (124: timed out), 0 report(s)')
  expect(details).not.toContain('holds')
})
