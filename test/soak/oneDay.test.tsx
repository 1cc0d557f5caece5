import { expect, test, vi } from 'vitest'
import { playDays } from './playDays.ts'

vi.mock('../../src/rate-limit/stores/recordDatabase.ts', () => import('./sharedDatabase.ts'))

/** A short soak for every test run. */
test('a day in several tabs leaves no pending call, no duplicate, no leak and no wait without a reason', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { days, findings } = await playDays({ days: 1, seed: 1, sessions: 2 })
  expect(findings).toEqual([])
  expect(days[0]?.calls).toBeGreaterThan(100)
  // Which waits there are depends on when the tabs render.
  expect(Object.keys(days[0]?.explained ?? {}).length).toBeGreaterThan(0)
})
