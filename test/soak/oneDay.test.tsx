import { expect, test, vi } from 'vitest'
import { playDays } from './playDays.ts'

vi.mock('idb-keyval', () => import('./sharedDatabase.ts'))

/** The short form of the soak, for each run of the tests. */
test('a day in several tabs leaves nothing open, nothing twice, and nothing behind', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { days, findings } = await playDays({ days: 1, seed: 1, sessions: 2 })
  expect(findings).toEqual([])
  expect(days[0]?.calls).toBeGreaterThan(100)
})
