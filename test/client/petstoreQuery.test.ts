import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest'
import { type Category, createPetstoreClient, defineOperation, type NewCategory, operations } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import type { Priority } from '../../src/rate-limit/gate.ts'
import { petstoreMutation, petstoreQuery } from '../../src/tanstack-query.ts'
import { createPetstoreService } from '../../src/testing.ts'
import * as z from 'zod/mini'

afterEach(() => void vi.unstubAllGlobals())

const getToy = defineOperation({
  name: 'getToy',
  path: '/toys/{toyId}',
  input: z.object({ toyId: z.string() }),
  output: z.object({ name: z.string() }),
})

const findToys = defineOperation({
  name: 'findToys',
  method: 'POST',
  replay: 'safe',
  path: '/toys/search',
  input: z.object({ word: z.string() }),
  output: z.array(z.string()),
})

function setup() {
  const service = createPetstoreService({
    categories: [{ name: 'Dog' }],
    operations: [
      { operation: getToy, handle: ({ params: { toyId = '' } }) => ({ body: { name: `Ball ${toyId}` } }) },
      { operation: findToys, handle: () => ({ body: ['Ball'] }) },
    ],
  })
  const priorities: Priority[] = []
  const client = createPetstoreClient({
    ...service.providerProps(),
    rateLimitStore: createMemoryStore(),
    onEvent: (event) => void (event.type === 'queued' && priorities.push(event.priority)),
  })
  return { service, client, priorities, queries: new QueryClient() }
}

test('a query loads for the user, has a key with the scope of the client, and refetches in the background', async () => {
  const { client, queries, priorities, service } = setup()
  const options = petstoreQuery(client, operations.listCategories)
  expectTypeOf(await queries.fetchQuery(options)).toEqualTypeOf<readonly Category[]>()
  expect(queries.getQueryData(options.queryKey)).toMatchObject([{ name: 'Dog' }])
  await queries.refetchQueries({ queryKey: ['petstore', client.scope] })
  expect(priorities).toEqual(['user', 'background'])
  expect(service.requests.every(({ status }) => status === 200)).toBe(true)
})

/** A page that has never had the focus, such as one in a frame. A fresh module watches it from its first query on. */
async function openPage() {
  const page = new EventTarget()
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible', hasFocus: () => false })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('document', document)
  vi.resetModules()
  const { petstoreQuery: optionsOf } = await import('../../src/tanstack-query.ts')
  return { page, optionsOf }
}

test('a page that has never had the focus loads with the priority `user`', async () => {
  const { client, queries, priorities } = setup()
  const { optionsOf } = await openPage()
  expect(await queries.fetchQuery(optionsOf(client, getToy, { toyId: '7' }))).toEqual({ name: 'Ball 7' })
  expect(priorities).toEqual(['user'])
})

test('a page that has lost the focus loads with the priority `background`, until it gets the focus again', async () => {
  const { client, queries, priorities, service } = setup()
  const { page, optionsOf } = await openPage()
  await queries.fetchQuery(optionsOf(client, getToy, { toyId: '7' }))
  service.failNext({ status: 429, headers: { 'Retry-After': '50' } })
  await expect(client.fetch(`${service.baseUrl}/categories`)).resolves.toMatchObject({ status: 429 })
  page.dispatchEvent(new Event('blur'))
  const { queryKey, ...options } = optionsOf(client, getToy, { toyId: '8' })
  const ends = Promise.allSettled([queries.fetchQuery({ queryKey, ...options })])
  await vi.waitFor(() => expect(client.rateLimit.inspect()?.waiting).toHaveLength(1), 60_000)
  const waiting = () => client.rateLimit.inspect()?.waiting.map(({ priority }) => priority)
  expect([priorities.at(-1), waiting()]).toEqual(['background', ['background']])
  page.dispatchEvent(new Event('focus'))
  await vi.waitFor(() => expect(waiting()).toEqual(['user']), 60_000)
  await queries.cancelQueries({ queryKey })
  await ends
  page.dispatchEvent(new Event('focus')) // joins nothing: the call has ended
  expect(client.rateLimit.inspect()?.waiting).toEqual([])
})

test('a safe POST query is sent once, also when its page gets the focus again, and an unsafe one is refused', async () => {
  const { client, queries, service } = setup()
  const { page, optionsOf } = await openPage()
  await queries.fetchQuery(optionsOf(client, getToy, { toyId: '7' }))
  page.dispatchEvent(new Event('blur'))
  const { queryKey, ...options } = optionsOf(client, findToys, { word: 'ball' })
  const found = queries.fetchQuery({ queryKey, ...options })
  page.dispatchEvent(new Event('focus'))
  page.dispatchEvent(new Event('focus'))
  expect(await found).toEqual(['Ball'])
  await client.listCategories()
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  expect(() => petstoreQuery(client, operations.createCategory, { name: 'Fox' })).toThrow('use petstoreMutation')
})

test('TanStack Query does not repeat a failed query, and a cancelled one is never sent', async () => {
  const { client, queries, service } = setup()
  service.failNext({ status: 404 })
  await expect(queries.fetchQuery(petstoreQuery(client, getToy, { toyId: '7' }))).rejects.toMatchObject({ status: 404 })
  expect(service.requests).toHaveLength(1)
  service.failNext({ status: 429, headers: { 'Retry-After': '1' } })
  const { queryKey, ...waiting } = petstoreQuery(client, getToy, { toyId: '8' })
  const pending = queries.fetchQuery({ queryKey, ...waiting })
  const settled = Promise.allSettled([pending])
  await vi.waitFor(() => expect(service.requests).toHaveLength(2), 60_000)
  await queries.cancelQueries({ queryKey })
  expect(await settled).toMatchObject([{ status: 'rejected' }])
  await vi.waitFor(() => expect(client.rateLimit.inspect()?.waiting).toEqual([]), 60_000)
  expect(service.requests).toHaveLength(2)
})

test('a mutation sends its input once, and has the types of its operation', async () => {
  const { client, queries, service } = setup()
  const options = petstoreMutation(client, operations.createCategory)
  expectTypeOf(options.mutationFn).toEqualTypeOf<(input: NewCategory) => Promise<Category>>()
  const mutation = new MutationObserver(queries, options)
  expect(await mutation.mutate({ name: 'Fox' })).toMatchObject({ name: 'Fox' })
  service.failNext({ connection: 'lost-after' })
  await expect(mutation.mutate({ name: 'Owl' })).rejects.toMatchObject({ outcome: 'unknown' })
  expect(service.requests).toHaveLength(2)
})
