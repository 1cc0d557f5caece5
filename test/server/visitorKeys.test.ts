import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { operations } from '../../src/client.ts'
import type { PetstoreHandlerOptions } from '../../src/server.ts'
import { type Fetch, json, watchRequests } from '../client/client.setup.ts'
import { getList, handlerTo, visit } from './handler.setup.ts'

/* A server whose `apiKey` returns the key of the visitor whose request is being handled. */

/** The function that names the owner of the key, for the visitor whose request is being handled. */
const visitor = new AsyncLocalStorage<() => string | undefined>()
// While an AsyncLocalStorage is in use, each promise of the thread costs more.
afterAll(() => visitor.disable())
afterEach(() => void vi.restoreAllMocks())

const apiKey = () => {
  const owner = visitor.getStore()?.()
  return owner ? `key-of-${owner}` : ''
}
/** The owner of a key. The key itself would be redacted. */
const ownerOf = ({ headers }: Request) => (headers.get('Authorization') ?? '').replace('Bearer key-of-', '')
const plenty = { 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '90000', 'X-RateLimit-Reset': '4102444800' }
const refusal = () => json({ code: 'unauthorized', message: 'The key is revoked.', status: 401 }, 401)

describe('visitors with keys of their own', () => {
  /** A handler whose service names the owner of the key in each response, and refuses the owners in `revoked`. */
  function setup(options: Partial<PetstoreHandlerOptions> = {}) {
    const revoked = new Set<string>()
    const respond: Fetch = async (request) => {
      const owner = ownerOf(request)
      return revoked.has(owner) ? refusal() : json([{ id: 1, name: `of ${owner}` }], 200, plenty)
    }
    const { sent, fetch } = watchRequests(respond)
    const handler = handlerTo(fetch, {
      apiKey,
      cache: { listCategories: { maxAge: 60_000, staleWhileRevalidate: 60_000 } },
      ...options,
    })
    const getWith = (owner: string | undefined, headers: Record<string, string> = {}) =>
      visitor.run(
        () => owner,
        () => handler(getList(headers)),
      )
    const textOf = async (response: Promise<Response>) => (await response).text()
    return { handler, getWith, textOf, sent, revoked }
  }

  test('share a response where they have one key and the app says so', async () => {
    const { getWith, sent } = setup({
      authorize: ({ headers }) => headers.get('Cookie') ?? 401,
      cache: { listCategories: { maxAge: 60_000, shared: true } },
    })
    await getWith('team', { Cookie: 'ann' })
    expect((await getWith('team', { Cookie: 'bob' })).headers.get('Server-Timing')).toBe('cache')
    expect(sent).toHaveLength(1)
  })

  test('lose what was kept for a key as soon as the service refuses it', async () => {
    const { handler, getWith, revoked } = setup({ operations: [operations.getPet] })
    const isKept = async (owner: string) => (await getWith(owner)).headers.get('Server-Timing') === 'cache'
    await getWith('alice')
    await getWith('bob')
    expect([await isKept('alice'), await isKept('bob')]).toEqual([true, true])
    revoked.add('alice')
    await visitor.run(
      () => 'alice',
      () => handler(visit('GET', '/api/petstore/v1/pets/7')),
    )
    expect((await getWith('alice')).status).toBe(502)
    expect(await isKept('bob')).toBe(true)
  })

  test('without a key get a 401, and the log says so once: the key of the server may be missing', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { getWith } = setup()
    expect([(await getWith(undefined)).status, (await getWith(undefined)).status]).toEqual([401, 401])
    expect(warn.mock.calls).toEqual([[expect.stringContaining('apiKey function of the handler returned no key')]])
  })

  test('read their key once for each request', async () => {
    let keysRead = 0
    const { handler } = setup()
    const read = () => `key-${(keysRead += 1)}`
    await visitor.run(read, () => handler(getList()))
    expect(keysRead).toBe(1)
  })

  test('who shared a revoked key do not get a response to the new key of another visitor', async () => {
    const { handler, revoked, sent, textOf } = setup({
      cache: { listCategories: { maxAge: 60_000, shared: true } },
      authorize: ({ headers }) => headers.get('Cookie') ?? 401,
    })
    // Both read the old key and share its request. Then each of them has another one.
    let keysRead = 0
    const ownerFor = (name: string) => ((keysRead += 1) > 2 ? name : 'team')
    const get = (name: string) =>
      visitor.run(
        () => ownerFor(name),
        () => textOf(handler(getList({ Cookie: name }))),
      )
    revoked.add('team')
    const both = [get('alice'), get('bob')]
    expect(await Promise.all(both)).toEqual(['[{"id":1,"name":"of alice"}]', '[{"id":1,"name":"of bob"}]'])
    expect(sent.map(({ headers }) => headers['authorization']?.replace('Bearer key-of-', ''))).toEqual([
      'team',
      'alice',
      'bob',
    ])
    expect(await Promise.all([get('bob'), get('alice')])).toEqual([
      '[{"id":1,"name":"of bob"}]',
      '[{"id":1,"name":"of alice"}]',
    ])
  })
})
