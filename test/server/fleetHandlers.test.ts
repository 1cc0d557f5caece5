import { afterEach, expect, test, vi } from 'vitest'
import { jain, type Outcome, play, type World } from './fleetVisitors.ts'

afterEach(() => void vi.restoreAllMocks())

/** What visitors of several seeds met. */
async function playSeeds(world: Omit<World, 'visitors' | 'limit' | 'length' | 'seed'>): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const seed of [1, 2, 3]) {
    outcomes.push(await play({ ...world, visitors: 20, limit: 60, length: 4 * world.per, seed }))
    vi.restoreAllMocks()
  }
  return outcomes
}

/**
 * Before the record had these numbers there were 26, 71, 73, 109, 141 and 110 refusals against what was told, and an
 * index of fairness from 0.34 on. The few that are left come where a window begins, and others who are told first count
 * only with the next update. What several processes cannot divide among five visitors each is not used.
 */
test.each([
  { processes: 1, pause: 1_000, broken: 0, used: 59, fairness: 0.99 },
  { processes: 1, pause: 400, broken: 2, used: 59, fairness: 0.99 },
  { processes: 2, pause: 1_000, broken: 1, used: 56, fairness: 0.98 },
  { processes: 2, pause: 400, broken: 4, used: 56, fairness: 0.94 },
  { processes: 4, pause: 1_000, broken: 1, used: 50, fairness: 0.97 },
  { processes: 4, pause: 400, broken: 1, used: 52, fairness: 0.95 },
])(
  '20 visitors of $processes processes get what they are told: one call in $pause ms each',
  async (world) => {
    const outcomes = await playSeeds({ ...world, per: 10_000 })
    for (const { requests, refusedUpstream, used, served } of outcomes) {
      expect(requests).toBeGreaterThan(200)
      expect(refusedUpstream).toBe(0)
      expect(Math.min(...used)).toBeGreaterThanOrEqual(world.used)
      expect(jain(served)).toBeGreaterThanOrEqual(world.fairness)
    }
    expect(outcomes.flatMap(({ broken }) => broken).length).toBeLessThanOrEqual(world.broken)
  },
  180_000,
)

/** Until users counted who were told to come back at the end of the window there were 38, 23 and 1, and a fairness of 0.52. */
test.each([
  { processes: 1, broken: 0 },
  { processes: 2, broken: 5 },
  { processes: 4, broken: 2 },
])(
  'visitors of $processes processes who wait for most of a minute get what they are told',
  async ({ processes, broken }) => {
    const outcomes = await playSeeds({ processes, pause: 1_000, per: 60_000 })
    for (const { requests, refusedUpstream, served } of outcomes) {
      expect(requests).toBeGreaterThan(200)
      expect(refusedUpstream).toBe(0)
      expect(jain(served)).toBeGreaterThanOrEqual(0.9)
    }
    expect(outcomes.flatMap((one) => one.broken).length).toBeLessThanOrEqual(broken)
  },
  180_000,
)
