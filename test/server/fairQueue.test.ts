import { expect, test } from 'vitest'
import type { RateLimitState } from '../../src/client.ts'
import { createFairQueue, type FairQueueOptions } from '../../src/server/fairQueue.ts'
import { opening, watch } from '../client/client.setup.ts'
import { createVirtualClock } from '../rate-limit/virtualClock.ts'

const unknown: RateLimitState = {
  status: 'unknown',
  limit: undefined,
  remaining: undefined,
  resetAt: undefined,
  retryAt: undefined,
  waitReason: undefined,
}

function setup(options: Partial<FairQueueOptions> = {}) {
  const clock = createVirtualClock(opening)
  const queue = createFairQueue({
    rateLimit: () => unknown,
    clock,
    hasUsers: true,
    maxQueued: 100,
    maxWait: 5_000,
    ...options,
  })
  /** Runs a call in the client, or with nothing one that never leaves. */
  const enter = (user: string, perform?: (onWait: (until: number | undefined) => void) => Promise<unknown>) =>
    watch(
      queue.run(
        { user, priority: 'user', group: undefined, signal: undefined, context: { operation: 'any', attempts: 0 } },
        perform ?? (() => new Promise(() => {})),
      ),
    )
  const run = (ms: number) => clock.run(clock.now() + ms)
  return { clock, queue, enter, run }
}

const quickly = async (onWait: (until: number | undefined) => void) => {
  onWait(undefined)
  return 'done'
}

test('a call whose runtime is gone on its way through the gate holds others back for a second', async () => {
  const { enter, run } = setup()
  enter('gone')
  const other = enter('ann', quickly)
  await run(999)
  expect(other.now.state).toBe('pending')
  await run(1)
  expect(other.now).toEqual({ state: 'fulfilled', value: 'done' })
})

test('a call that has left lets the next one enter before it has a response', async () => {
  const { enter, run } = setup()
  enter('ann', async (onWait) => {
    onWait(undefined)
    return new Promise(() => {})
  })
  const other = enter('ann', quickly)
  await run(0)
  expect(other.now.state).toBe('fulfilled')
})

test.each([
  [5_000, 5_000],
  // As long as the gate lets calls wait for the first response of all.
  [0, 5_000],
  [20_000, 20_000],
])('with a maxWait of %i ms, a call gives up its place after %i ms', async (maxWait, patience) => {
  const { clock, enter, run } = setup({ maxWait, rateLimit: () => ({ ...unknown, retryAt: opening + 90_000 }) })
  // Others before it, each of which never leaves.
  for (let call = 0; call < 40; call += 1) enter('ann')
  const last = enter('ann', quickly)
  await run(patience - 1)
  expect(last.now.state).toBe('pending')
  await run(1)
  expect(last.now).toMatchObject({ state: 'rejected', error: { kind: 'rate-limit', retryAt: opening + 90_000 } })
  expect(clock.now()).toBe(opening + patience)
})

test('a call of a group joins the one under way without a turn, until the group is closed', async () => {
  const { queue, enter, run } = setup()
  const performed: string[] = []
  const get = (name: string) => {
    const context = { operation: 'any', attempts: 0 }
    void queue.run({ user: name, priority: 'user', group: 'list', signal: undefined, context }, async (onWait) => {
      performed.push(name)
      if (name === 'first') onWait(undefined)
      await new Promise(() => {})
    })
  }
  get('first')
  await run(0)
  enter('on the way')
  get('joins')
  await run(0)
  queue.closeGroups()
  get('waits')
  await run(999)
  expect(performed).toEqual(['first', 'joins'])
  get('waits, too')
  await run(1)
  // One turn is enough for all who wait.
  expect(performed).toEqual(['first', 'joins', 'waits', 'waits, too'])
})

test('a share is not lower while responses are out that the gate counts twice', async () => {
  let remaining = 59
  const state = { ...unknown, status: 'ok' as const, limit: 60, resetAt: opening + 60_000 }
  const { queue, enter, run } = setup({ rateLimit: () => ({ ...state, remaining }) })
  for (let call = 0; call < 20; call += 1) {
    enter('greedy', async (onWait) => {
      remaining -= 1
      onWait(undefined)
      return new Promise(() => {})
    })
  }
  await run(0)
  expect(queue.rateLimitOf('ann').remaining).toBe(27)
  // The first response says that the service has counted all of them.
  remaining = 20
  expect(queue.rateLimitOf('ann').remaining).toBe(27)
  // No more than what those under way may have been counted twice for.
  remaining = 0
  expect(queue.rateLimitOf('ann').remaining).toBe(18)
})

test('a call that fails before it leaves gives its unit back', async () => {
  const state = { ...unknown, status: 'ok' as const, limit: 60, remaining: 20, resetAt: opening + 60_000 }
  const { queue, enter, run } = setup({ rateLimit: () => state })
  expect(queue.rateLimitOf('ann').remaining).toBe(18)
  const entering = enter('ann', () => Promise.reject(new TypeError()))
  expect(queue.rateLimitOf('ann').remaining).toBe(17)
  await run(0)
  expect(entering.now.state).toBe('rejected')
  expect(queue.rateLimitOf('ann').remaining).toBe(18)
})
