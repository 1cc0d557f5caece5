import { cleanup } from '@testing-library/react'
import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { runs, timeout } from '../rate-limit/runs.ts'
import { pass, stopTimeInEachTest } from './query.setup.tsx'
import {
  createWorld,
  openTestChannelsInEachTest,
  TestChannel,
  type ProviderOptions,
  type Tab,
} from './sharedResponses.setup.tsx'

stopTimeInEachTest()
openTestChannelsInEachTest()
beforeEach(() => {
  TestChannel.delay = 3
})

type User = 'alice' | 'bob'

/** Mostly the same user, so that several tabs often share. */
const anyUser = fc.constantFrom<User>('alice', 'alice', 'alice', 'bob')
const anyTab = fc.integer({ min: 0, max: 2 })
const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('signIn'), tab: anyTab, user: anyUser }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('signOut'), tab: anyTab }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('refresh', 'create', 'invalidate'), tab: anyTab }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('pass'), ms: fc.oneof(fc.nat(100), fc.nat(40_000)) }) },
)

/** Rows are named `alice@12345`, by their user and when the list was requested or the row was created (epoch ms). */
function fetchFor(user: User, latency: number): ProviderOptions['fetch'] {
  return async ({ method }) => {
    const isList = method === 'GET'
    const sentAt = Date.now()
    await new Promise((resolve) => setTimeout(resolve, latency))
    const row = { id: Date.now(), name: `${user}@${isList ? sentAt : Date.now()}` }
    const quota = { 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '900', 'X-RateLimit-Reset': '4000000000' }
    return Response.json(isList ? [row] : row, { status: isList ? 200 : 201, headers: quota })
  }
}

interface Session {
  readonly tab: Tab
  readonly user: User
  /** When its user had last signed out, in any tab, before the session began, in epoch ms. */
  readonly since: number
}

test(
  'nobody ever sees rows of another scope, nor rows from before a sign-out',
  async () => {
    let shownRows = 0
    const property = fc.asyncProperty(
      fc.array(action, { minLength: 10, maxLength: 30 }),
      fc.array(fc.oneof(fc.nat(10), fc.nat(3_000)), { minLength: 3, maxLength: 3 }),
      fc.boolean(),
      async (actions, latencies, hasScope) => {
        const { openTab } = createWorld()
        const sessions = new Map<number, Session>()
        const signedOutAt: Record<User, number> = { alice: 0, bob: 0 }

        function signOut(page: number): void {
          const session = sessions.get(page)
          if (!session) return
          session.tab.close()
          signedOutAt[session.user] = Date.now()
          sessions.delete(page)
        }

        async function signIn(page: number, user: User): Promise<void> {
          signOut(page)
          await pass(1)
          // The key is not the name in the rows: a response that contains the key is not shared.
          const apiKey = `key-of-${user}`
          const identity = hasScope ? { scope: user, apiKey: () => apiKey } : { apiKey }
          const options = { ...identity, fetch: fetchFor(user, latencies[page] ?? 0) }
          sessions.set(page, { tab: await openTab(options, {}, page), user, since: signedOutAt[user] })
        }

        function check(): void {
          for (const { tab: shown, user, since } of sessions.values()) {
            const text = shown.text() ?? ''
            if (!text.includes('@')) continue
            for (const row of text.split(',')) {
              shownRows += 1
              const [owner, sentAt] = row.split('@')
              expect(owner).toBe(user)
              expect(Number(sentAt)).toBeGreaterThanOrEqual(since)
            }
          }
        }

        for (const step of actions) {
          if ('ms' in step) await pass(step.ms)
          else if ('user' in step) await signIn(step.tab, step.user)
          else if (step.type === 'signOut') signOut(step.tab)
          else if (step.type === 'refresh') sessions.get(step.tab)?.tab.refresh()
          else if (step.type === 'create') sessions.get(step.tab)?.tab.create(`${step.tab}`)
          else sessions.get(step.tab)?.tab.invalidate()
          await pass(1)
          check()
        }
        await pass(5_000)
        check()
        cleanup()
        await pass(1)
      },
    )
    await fc.assert(property, { ...runs, numRuns: Math.min(runs.numRuns, 20) }) // a run is slow: up to 30 actions
    expect(shownRows).toBeGreaterThan(100) // `check` has seen rows
    expect(JSON.stringify(TestChannel.sent)).not.toContain('key-of')
  },
  timeout,
)
