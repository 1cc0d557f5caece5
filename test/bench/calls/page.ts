import { createPetstoreClient, type PetstoreClient } from '../../../src/client.ts'
import { createMemoryStore } from '../../../src/rate-limit/stores/memoryStore.ts'
import { categoryRows, type RowKind } from './rows.ts'

/** The times of single runs in ms: of the client, and of what an app would write itself. */
export interface Runs {
  readonly ours: readonly number[]
  readonly plain: readonly number[]
}

export type Way = keyof Runs
export type Store = 'memory' | 'tabs'

/** The functions of the page. The two ways take turns, so that load on the machine affects both. */
export interface CallsPage {
  /** Reads a response that is ready, over and over. */
  readonly read: (rows: number, kind: RowKind, rounds: number) => Promise<Runs>
  /** Calls the service over HTTP, over and over. */
  readonly call: (store: Store, rounds: number) => Promise<Runs>
  /** The calls of one way alone, for a profile or a processor's time. */
  readonly callOnly: (way: Way, store: Store, rounds: number) => Promise<void>
  readonly readOnly: (rows: number, kind: RowKind, rounds: number) => Promise<void>
}

declare global {
  interface Window {
    calls: CallsPage
  }
}

async function time(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

async function takeTurns(ways: Readonly<Record<Way, () => Promise<number>>>, rounds: number): Promise<Runs> {
  const runs = { ours: [] as number[], plain: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    runs.plain.push(await ways.plain())
    runs.ours.push(await ways.ours())
  }
  return runs
}

/** Both ways get a response of their own that is ready. Each one differs, so that the client cannot know its text. */
function readyResponses(count: number, kind: RowKind): () => Response {
  const bytes = new TextEncoder().encode(categoryRows(count, kind))
  const digit = new TextEncoder().encode('Category ')
  const at = bytes.findIndex((_, index) => digit.every((byte, offset) => bytes[index + offset] === byte))
  let responses = 0
  return () => {
    responses += 1
    for (const [place, byte] of new TextEncoder().encode(String(responses).padStart(9, '0')).entries()) {
      bytes[at + place] = byte
    }
    const headers = { 'X-RateLimit-Limit': '1000000000', 'X-RateLimit-Remaining': String(1_000_000_000 - responses) }
    return new Response(bytes, {
      headers: { ...headers, 'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1_000) + 60) },
    })
  }
}

const plan = { limit: 1_000_000_000, per: 60_000 }

function reader(count: number, kind: RowKind): Readonly<Record<Way, () => Promise<number>>> {
  const ready = readyResponses(count, kind)
  let response: Response
  const client = createPetstoreClient({
    baseUrl: 'https://petstore.test/v1',
    apiKey: 'demo',
    plan,
    rateLimitStore: createMemoryStore(),
    fetch: () => Promise.resolve(response),
  })
  return {
    plain: () => {
      response = ready()
      return time(async () => JSON.parse(await response.text()))
    },
    ours: () => {
      response = ready()
      return time(() => client.listCategories())
    },
  }
}

const baseUrl = `${location.origin}/v1`
const clients = new Map<Store, PetstoreClient>()

function caller(store: Store): Readonly<Record<Way, () => Promise<unknown>>> {
  const client =
    clients.get(store) ??
    createPetstoreClient({
      baseUrl,
      apiKey: 'demo',
      plan,
      ...(store === 'memory' && { rateLimitStore: createMemoryStore() }),
    })
  clients.set(store, client)
  return {
    plain: async () => {
      const headers = { Authorization: 'Bearer demo' }
      const response = await fetch(`${baseUrl}/categories`, { cache: 'no-store', headers })
      return response.json()
    },
    ours: () => client.listCategories(),
  }
}

window.calls = {
  read: (rows, kind, rounds) => takeTurns(reader(rows, kind), rounds),
  call: (store, rounds) => {
    const { plain, ours } = caller(store)
    return takeTurns({ plain: () => time(plain), ours: () => time(ours) }, rounds)
  },
  callOnly: async (way, store, rounds) => {
    const action = caller(store)[way]
    for (let round = 0; round < rounds; round += 1) await action()
  },
  readOnly: async (rows, kind, rounds) => {
    const { ours } = reader(rows, kind)
    for (let round = 0; round < rounds; round += 1) await ours()
  },
}
