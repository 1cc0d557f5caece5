import { afterEach, expect, test, vi } from 'vitest'
// Not the entry, which exports the schemas, so that Node loads them with it.
import { createPetstoreClient } from '../../src/client/createPetstoreClient.ts'

const gone = async (): Promise<object> => {
  throw new Error('The file is gone.')
}
const loading = vi.hoisted((): { load?: () => Promise<object> } => ({}))
vi.mock('../../src/contract/schemas.ts', async () => ({ ...(await loading.load?.()) }))

afterEach(() => vi.useRealTimers())

const refused = { issues: [{ message: 'it was refused, and the schema that says why could not be loaded' }] }
const client = createPetstoreClient({
  baseUrl: 'https://petstore.test/v1',
  fetch: async (request) =>
    request.method === 'GET'
      ? Response.json([{ id: 7, name: 'Dog' }])
      : Response.json({ id: 7, name: 7 }, { status: 201 }),
})

test('without its schemas a page sends and shows what the readers know, and refuses all else', async () => {
  loading.load = gone
  expect(await client.listCategories()).toEqual([{ id: '7', name: 'Dog' }])
  await expect(client.createCategory({ name: ' ' })).rejects.toMatchObject({ name: 'InputValidationError', ...refused })
  await expect(client.createCategory({ name: 'Dog' })).rejects.toMatchObject({
    name: 'ResponseValidationError',
    ...refused,
  })
})

test('a page waits for its schemas for a while only', async () => {
  vi.useFakeTimers()
  loading.load = () => new Promise(() => {})
  const failure = client.createCategory({ name: '' }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await failure).toMatchObject({ name: 'InputValidationError', ...refused })
})
