import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

// The storm chooses in the same way, but its other clients are not installed here.
test.each([
  ['test/consumers/run.ts', 'vite-react-18'],
  ['test/bench/calm/calm.ts', 'wifi back after 36 s'],
  ['test/bench/tabs/tabs.ts', 'six open at once: GETs'],
])('%s fails at a mistyped name, and says what there is', (program, name) => {
  const { status, stderr } = spawnSync('node', ['test/run.mjs', program, 'mistyped'], { encoding: 'utf8' })
  expect(stderr).toMatch(/^There is no "mistyped", only:\n/)
  expect(stderr.split('\n')).toContain(`  ${name}`)
  expect(status).toBe(1)
})
