import { cleanup, render, waitFor } from '@testing-library/react'
import { type ReactElement, StrictMode } from 'react'
import { type Cache, SWRConfig } from 'swr'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import {
  CategoryList,
  defineOperation,
  type PetstoreClientOptions,
  type PetstoreEvent,
  PetstoreProvider,
  useCategories,
  useCreateCategory,
  type UseCreateCategoryResult,
  usePendingCategories,
  usePetstoreClient,
  usePetstoreMutation,
  usePetstoreQuery,
  useRateLimit,
  useSendMessage,
} from '../../src/index.ts'
import { newAddress } from '../renderOnService.tsx'
import { lastOf, settled } from './renderHookOnService.tsx'

// Contains special characters of JSON, HTML, regular expressions and replacement patterns.
const key = 'canary$&"\\.*+?^(canary)[canary]|{canary}/<canary>'

/** Everything that a page, its console, its storage and other tabs get to see. */
const seen: unknown[] = []
const records = vi.hoisted(() => new Map<string, unknown>())

// jsdom has no IndexedDB.
vi.mock('../../src/rate-limit/stores/recordDatabase.ts', () => ({
  createRecordDatabase: (name: string) => {
    records.set(name, name) // the database's name is searched for the key, too
    return {
      update: async (record: string, change: (stored: unknown) => unknown) => {
        const changed = change(records.get(record))
        records.set(record, changed)
        return changed
      },
      deleteWhere: async () => {},
    }
  },
}))

beforeEach(() => {
  seen.length = 0
  for (const method of ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const)
    vi.spyOn(console, method).mockImplementation((...values) => void seen.push(values))
  vi.stubGlobal('reportError', (error: unknown) => void seen.push(error))
  vi.stubGlobal('indexedDB', {})
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor(name: string) {
        seen.push(name)
      }
      postMessage(message: unknown) {
        seen.push('a message between tabs', message)
      }
      close() {}
    },
  )
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Every text form of a value. */
function textOf(value: unknown): string {
  const parts = [inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true })]
  try {
    parts.push(JSON.stringify(value), String(value))
  } catch {
    // some values cannot be converted
  }
  if (value instanceof Error) parts.push(value.message, value.stack ?? '', textOf(value.cause))
  return parts.join('\n')
}

const strict = defineOperation({ name: 'strict', method: 'POST', path: '/strict', output: z.strictObject({}) })
const talkative = defineOperation({
  name: 'talkative',
  path: '/talkative',
  output: z.record(z.string(), z.number('expected a number')),
})

/** Uses the hooks, and shows all of their results. */
function Everything({ onDone }: { readonly onDone: () => void }): ReactElement {
  const onError = (...values: unknown[]) => void seen.push(values)
  const onSuccess = onError
  const list = useCategories()
  const query = usePetstoreQuery(talkative)
  const creation = useCreateCategory({ optimistic: true, onError, onSuccess })
  const sending = useSendMessage({ onError, onSuccess })
  const mutation = usePetstoreMutation(strict, { onError, onSuccess })
  const pending = usePendingCategories()
  const client = usePetstoreClient()
  const results = [creation, sending, mutation]
  seen.push(list.data, list.error, query.error, pending, client, useRateLimit(), ...results)
  const run = async () => {
    const outcomes = await Promise.all([
      creation.trigger({ name: 'Dog' }),
      sending.trigger({ message: 'Hello' }),
      mutation.trigger(),
      creation.trigger(JSON.parse('{"name":7}')),
    ])
    seen.push(outcomes)
    for (const { error } of outcomes) seen.push(error)
    onDone()
  }
  return (
    <>
      <CategoryList />
      <pre>{[list.error, query.error, ...results.map(({ error }) => error)].map((error) => error?.message).join()}</pre>
      <pre>{JSON.stringify([list.error, query.error, ...results, client])}</pre>
      <button type="button" name="run" aria-label="run" onClick={() => void run()} />
    </>
  )
}

/** Renders a page, makes all calls, and returns everything that could be observed. */
async function traceOf(fetch: (request: Request) => Promise<Response>, options: Partial<PetstoreClientOptions> = {}) {
  const cache: Cache & Map<string, object> = new Map()
  const baseUrl = newAddress()
  let isDone = false
  const { container, unmount } = render(
    <StrictMode>
      <SWRConfig value={{ provider: () => cache }}>
        <PetstoreProvider
          baseUrl={baseUrl}
          quickstartBaseUrl={baseUrl}
          apiKey={key}
          fetch={fetch}
          retry={{ attempts: 1, maxWait: 500 }}
          onEvent={(event) => void seen.push(event)}
          {...options}
        >
          <Everything
            onDone={() => {
              isDone = true
            }}
          />
        </PetstoreProvider>
      </SWRConfig>
    </StrictMode>,
  )
  container.querySelector<HTMLButtonElement>('[name=run]')?.click()
  await waitFor(() => expect(isDone).toBe(true))
  await settled()
  const html = document.documentElement.outerHTML
  seen.push(...cache.entries(), html, [...records], globals(), document.cookie, location.href, history.state)
  for (const storage of [localStorage, sessionStorage]) seen.push(Object.entries(storage))
  unmount()
  await settled()
  return seen.map(textOf).join('\n')
}

/** The global values that copies of the package share on a page. */
const globals = () =>
  Object.getOwnPropertySymbols(globalThis)
    .filter(({ description }) => description?.startsWith('petstore-react'))
    .map((symbol) => [symbol, Reflect.get(globalThis, symbol)])

const leaks = (trace: string) => trace.split('\n').filter((line) => line.includes('canary'))

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })

describe('the API key is in no cache, error, state, event, log, page, store or message between tabs', () => {
  test('when everything succeeds', async () => {
    const succeed = async ({ method, url }: Request) => {
      if (url.endsWith('/messages'))
        return json(200, { id: 'm', message: 'Hello', status: 'queued', createdAt: '2026-01-01T00:00:00Z' })
      if (!url.endsWith('/categories')) return json(200, {})
      return method === 'GET' ? json(200, [{ id: 1, name: 'Cat' }]) : json(201, { id: 2, name: 'Dog' })
    }
    const trace = await traceOf(succeed, { retry: {} })
    // The trace covers every place:
    for (const part of ['"petstore"', 'queued', 'Cat', 'a message between tabs', 'updatedAt', '<section'])
      expect(trace).toContain(part)
    expect(leaks(trace)).toEqual([])
  })

  test.each([400, 401, 403, 429, 500, 503])('when the service repeats it in an Error body (%d)', async (status) => {
    const trace = await traceOf(async () =>
      json(
        status,
        { code: `no-${key}`, message: `The key ${key} (${key}) is not good.`, status, [key]: key },
        { 'X-Key': key, 'Retry-After': status === 429 ? '30' : key },
      ),
    )
    expect(trace).toContain('no-[API key]')
    expect(leaks(trace)).toEqual([])
  })

  test.each<[string, (request: Request) => Promise<Response>, Partial<PetstoreClientOptions>]>([
    [
      'a function returns it',
      async () => json(401, { code: key, message: key, status: 401 }),
      { apiKey: async () => key },
    ],
    ['a scope is set', async () => json(500, { code: key, message: key, status: 500 }), { scope: 'page' }],
  ])('when %s', async (_, fetch, options) => {
    const trace = await traceOf(fetch, options)
    expect(trace).toMatch(/AuthenticationError|ServerError/)
    expect(leaks(trace)).toEqual([])
  })

  test('without crypto.subtle (insecure origins)', async () => {
    vi.stubGlobal('crypto', {})
    const trace = await traceOf(async () => json(200, []))
    expect(trace).toContain('"petstore"')
    expect(trace).not.toContain('a message between tabs')
    expect(leaks(trace)).toEqual([])
  })
})

test('a scope that is used with several keys reveals none of them', async () => {
  const cache: Cache & Map<string, object> = new Map()
  const fetch = async () => json(200, [])
  const List = () => <p>{useCategories().data?.length}</p>
  const page = (apiKey: string) => (
    <SWRConfig value={{ provider: () => cache }}>
      <PetstoreProvider baseUrl="https://scopes.test/v1" apiKey={apiKey} fetch={fetch} scope="shared">
        <List />
      </PetstoreProvider>
    </SWRConfig>
  )
  const { rerender } = render(page(`${key}-1`))
  rerender(page(`${key}-2`))
  await waitFor(() => expect([...cache.keys()].filter((entry) => entry.includes('shared'))).toHaveLength(2))
  expect(globals()).not.toEqual([])
  expect(leaks([...cache.entries(), globals()].map(textOf).join('\n'))).toEqual([])
})

test('the input of a mutation is visible only to its own component', async () => {
  const cache: Cache & Map<string, object> = new Map()
  const secret = 'a secret of the person'
  const creation = lastOf<UseCreateCategoryResult>()
  function Creator() {
    creation.set(useCreateCategory())
    return null
  }
  const onEvent = vi.fn<(event: PetstoreEvent) => void>()
  render(
    <SWRConfig value={{ provider: () => cache }}>
      <PetstoreProvider baseUrl={newAddress()} fetch={async () => json(400, {})} onEvent={onEvent}>
        <Creator />
      </PetstoreProvider>
    </SWRConfig>,
  )
  const { error } = await creation.get().trigger({ name: secret })
  expect(textOf([error, ...cache.entries(), onEvent.mock.calls])).toContain('bad-request')
  expect(textOf([error, ...cache.entries(), onEvent.mock.calls])).not.toContain(secret)
})
