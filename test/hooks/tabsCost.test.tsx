import { describe, expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { pass, stopTimeInEachTest } from './query.setup.tsx'
import { createWorld, openTestChannelsInEachTest } from './sharedResponses.setup.tsx'

stopTimeInEachTest()
openTestChannelsInEachTest()

const interval = 10_000

describe('six tabs together', () => {
  test.each([0, 0.02, 0.1, 0.3, 0.5])('poll as one does, at a latency of %d intervals', async (part) => {
    const world = createWorld(createPetstoreService({ latency: part * interval }))
    await world.openTabs(6, { refreshInterval: interval })
    await pass(2 * interval)
    const before = world.gets()
    await pass(60 * interval)
    const gets = world.gets() - before
    // A tenth more than one tab alone; a tab whose request is late may leave one out.
    expect(gets).toBeLessThanOrEqual(66)
    expect(gets).toBeGreaterThanOrEqual(54)
  })

  test.each([0, 100, 1_000])('load once when they open at the same moment, at a latency of %d ms', async (latency) => {
    const world = createWorld(createPetstoreService({ latency }))
    await world.openTabs(6)
    await pass(interval)
    expect(world.gets()).toBe(1)
  })

  test.each([0, 100, 1_000])('load once after an invalidation, at a latency of %d ms', async (latency) => {
    const world = createWorld(createPetstoreService({ latency }))
    const [first] = await world.openTabs(6)
    await pass(interval)
    first?.invalidate()
    await pass(interval)
    expect(world.gets()).toBe(2)
  })
})
