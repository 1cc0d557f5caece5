import * as z from 'zod/mini'
import {
  createPetstoreClient,
  defineOperation,
  isPetstoreError,
  type Operation,
  type PetstoreClientOptions,
} from '../../../src/client.ts'
import { createMemoryStore } from '../../../src/rate-limit/stores/memoryStore.ts'
import type { Priority } from '../../../src/rate-limit/gate.ts'
import { createPetstoreHandler } from '../../../src/server.ts'
import type { Network } from './network.ts'
import type { Page, Pages } from './pages.ts'

const baseUrl = 'https://petstore.test/v1'
const apiKey = 'demo'

export interface GetOptions {
  readonly signal?: AbortSignal
  readonly priority?: Priority
}

/** What sends the requests of a page. */
export interface PageClient {
  /** Resolves when the app has its data. */
  readonly get: (call: number, address: string, options: GetOptions) => Promise<unknown>
  readonly page: Page
}

export interface SubjectOptions {
  readonly pages: Pages
  readonly network: Network
  readonly timeout: number | undefined
}

/** The kit, its handler or plain `fetch`. Called once for each run; the returned function opens a page. */
export type Subject = (options: SubjectOptions) => () => PageClient

/** The kit, with one store for all pages. */
export const kit: Subject = ({ pages, network, timeout }) => {
  const store = createMemoryStore()
  return () => {
    const page = pages.open('page')
    const options = clientOptions({ page, network, timeout, store })
    const client = page.run(undefined, () => createPetstoreClient(options))
    return {
      page,
      get: (call, address, rest) =>
        page.run(call, () => client.call(operationOf(address), { id: idOf(address) }, rest)),
    }
  }
}

/** The kit's handler on a server. Each page is a visitor with plain `fetch`. */
export const handler: Subject = ({ pages, network, timeout }) => {
  const server = pages.open('server')
  const options = clientOptions({ page: server, network, timeout, store: createMemoryStore() })
  const serve = server.run(undefined, () =>
    createPetstoreHandler({
      ...options,
      apiKey,
      operations: ['items', 'reports'].map(operationNamed),
      authorize: ({ headers }) => headers.get('Cookie') ?? 401,
    }),
  )
  return () => {
    const page = pages.open('page')
    const headers = { Cookie: page.id, 'Sec-Fetch-Site': 'same-origin' }
    return {
      page,
      get: (call, address, { signal = null }) =>
        server.run(call, async () =>
          readResponse(await serve(new Request(`https://app.test/api/petstore/v1${address}`, { headers, signal }))),
        ),
    }
  }
}

/** What an app does without a kit: one request for each call, and no gate. */
export const plainFetch: Subject =
  ({ pages, network }) =>
  () => {
    const page = pages.open('page')
    const fetch = network.fetchFrom(page)
    const headers = { Authorization: `Bearer ${apiKey}` }
    return {
      page,
      get: (call, address, { signal = null }) =>
        page.run(call, async () => readResponse(await fetch(baseUrl + address, { headers, signal }))),
    }
  }

/** Why a call failed, for the trace. */
export function reasonOf(error: unknown): string {
  if (isPetstoreError(error)) return `${error.kind}: ${error.message}`
  return error instanceof Error ? error.message : String(error)
}

async function readResponse(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`Status ${response.status}`)
  return response.json()
}

interface ClientEnvironment {
  readonly page: Page
  readonly network: Network
  readonly timeout: number | undefined
  readonly store: ReturnType<typeof createMemoryStore>
}

function clientOptions({ page, network, timeout, store }: ClientEnvironment): PetstoreClientOptions {
  return { baseUrl, apiKey, timeout, fetch: network.fetchFrom(page), rateLimitStore: page.reach(store) }
}

const operations = new Map<string, Operation<{ readonly id: string }>>()

/** One operation for each kind of address: `/items/1` and `/items/2` belong to `/items/{id}`. */
const operationOf = (address: string) => operationNamed(address.split('/')[1] ?? '')
const idOf = (address: string) => address.split('/')[2] ?? ''

function operationNamed(name: string): Operation<{ readonly id: string }> {
  const known = operations.get(name)
  if (known) return known
  const input = z.object({ id: z.string() })
  const operation = defineOperation({ name, path: `/${name}/{id}`, input, output: z.unknown() })
  operations.set(name, operation)
  return operation
}
