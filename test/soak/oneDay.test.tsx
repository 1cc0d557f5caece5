import { expect, test, vi } from 'vitest'
import { playDay } from './playDay.ts'

vi.mock('../../src/rate-limit/stores/recordDatabase.ts', () => import('./sharedDatabase.ts'))

test('a day in several tabs leaves no pending call, no duplicate and no leak', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { calls, findings } = await playDay({ seed: 1, sessions: 3 })
  expect(findings).toEqual([])
  expect(calls).toBeGreaterThan(100)
})
