import { AsyncLocalStorage } from 'node:async_hooks'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type PetstoreClient } from '../../src/client.ts'
import { runs, timeout } from '../rate-limit/runs.ts'
import { type Fetch, json, setup, watch } from './client.setup.ts'

/*
 * A server that has one client for all its users: `apiKey` returns the key of the user whose request is being handled.
 */

const users = ['ann', 'bob', 'eve'] as const
type User = (typeof users)[number]

const currentUser = new AsyncLocalStorage<User>()
// An enabled AsyncLocalStorage makes each promise of the thread slower.
afterAll(() => currentUser.disable())
const apiKey = () => currentUser.getStore() ?? 'nobody'

const keyOf = (request: Request) => (request.headers.get('authorization') ?? '').replace('Bearer ', '')
/** A large quota until the year 2100. */
const plenty = { 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '900', 'X-RateLimit-Reset': '4102444800' }

/** A service with separate rows for each key, named after its user. Their ids are the same for all keys. */
function createRowsPerKey(delay: (request: Request, index: number) => Promise<void>) {
  const created = new Map<string, string[]>()
  let requests = 0
  const fetch: Fetch = async (request) => {
    const key = keyOf(request)
    const rows = created.get(key) ?? []
    created.set(key, rows)
    if (request.method === 'POST') {
      const { name } = await request.json()
      rows.push(String(name))
      await delay(request, requests++)
      return json({ id: rows.length, name }, 201, plenty)
    }
    const names = [`${key}:first`, ...rows]
    await delay(request, requests++)
    return json(
      names.map((name, id) => ({ id, name })),
      200,
      plenty,
    )
  }
  return { fetch, created }
}

interface Action {
  readonly user: User
  readonly kind: 'list' | 'create'
  /** ms after the start. */
  readonly at: number
  /** ms after the action; `undefined` for a call that is never aborted. */
  readonly abortAfter: number | undefined
}

const actions = (maxLength: number, maxTime: number): fc.Arbitrary<readonly Action[]> =>
  fc.array(
    fc.record({
      user: fc.constantFrom(...users),
      kind: fc.oneof({ weight: 3, arbitrary: fc.constant('list' as const) }, fc.constant('create' as const)),
      at: fc.nat(maxTime),
      abortAfter: fc.option(fc.nat(maxTime), { nil: undefined, freq: 3 }),
    }),
    { minLength: 2, maxLength },
  )

interface Outcome {
  readonly user: User
  readonly rows: readonly { readonly name: string }[]
}

/** Makes the call of an action, as its user. Calls `onResult` with what the user gets. */
function perform(
  client: PetstoreClient,
  { user, kind, abortAfter }: Action,
  after: (ms: number, action: () => void) => void,
  onResult: (outcome: Outcome) => void,
): Promise<unknown> {
  const controller = new AbortController()
  if (abortAfter !== undefined) after(abortAfter, () => controller.abort())
  const { signal } = controller
  const call = currentUser.run(user, () =>
    kind === 'list' ? client.listCategories({ signal }) : client.createCategory({ name: `${user}:new` }, { signal }),
  )
  return call.then((result) => onResult({ user, rows: 'name' in result ? [result] : result }))
}

/** Expects that nobody gets a row of another user, and that no write goes to another user. */
function expectOwnRows(outcomes: readonly Outcome[], created: ReadonlyMap<string, readonly string[]>) {
  for (const { user, rows } of outcomes) {
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ name }) => !name.startsWith(`${user}:`))).toEqual([])
  }
  for (const [user, names] of created) expect(names.filter((name) => name !== `${user}:new`)).toEqual([])
}

describe('users of one client', () => {
  test('get different objects for equal responses', async () => {
    const { client, run } = setup({ client: { apiKey, fetch: async () => json([{ id: 1, name: 'Dog' }]) } })
    const [ann, bob, annAgain] = (['ann', 'bob', 'ann'] as const).map((user) =>
      watch(currentUser.run(user, () => client.listCategories())),
    )
    await run()
    const valueOf = (call: typeof ann) => (call?.now.state === 'fulfilled' ? call.now.value : undefined)
    expect(valueOf(ann)).toEqual(valueOf(bob))
    expect(valueOf(ann)).not.toBe(valueOf(bob))
    expect(valueOf(ann)).toBe(valueOf(annAgain))
  })

  test(
    'get their own rows only, whichever of them read, write and abort, and when',
    async () => {
      const check = fc.asyncProperty(
        actions(12, 300),
        fc.array(fc.nat(200), { minLength: 1, maxLength: 6 }),
        async (planned, latencies) => {
          const { client, run, after } = setup({ client: { apiKey, fetch: async (request) => fetch(request) } })
          const { fetch, created } = createRowsPerKey(
            (_, index) => new Promise((resolve) => after(latencies[index % latencies.length] ?? 0, resolve)),
          )
          const outcomes: Outcome[] = []
          const calls: Promise<unknown>[] = []
          for (const action of planned) {
            after(action.at, () =>
              calls.push(perform(client, action, after, (outcome) => outcomes.push(outcome)).catch(() => undefined)),
            )
          }
          await run()
          await Promise.all(calls)
          expectOwnRows(outcomes, created)
          const stayed = planned.filter(({ abortAfter }) => abortAfter === undefined)
          expect(outcomes.length).toBeGreaterThanOrEqual(stayed.length)
        },
      )
      await fc.assert(check, { ...runs, numRuns: Math.min(runs.numRuns, 200) })
    },
    timeout,
  )
})
