import { describe, expect, test } from 'vitest'
import { defineOperation, operations } from '../../src/client.ts'
import { watch } from '../client/client.setup.ts'
import * as z from 'zod/mini'
import { visit, setupInVirtualTime } from './handler.setup.ts'

const { listCategories } = operations
const categories = [{ id: '9007199254740993', name: 'Dög' }]
const ann = { user: 'ann' }
const key = '@"petstore","ann","listCategories",null,' // the cache key, as SWR serializes it

describe('handler.prefetch', () => {
  test('prepares exact data for the scope of the page, for a request or a user', async () => {
    const { handler, service, run, clock } = setupInVirtualTime({ service: { categories } })
    const page = visit('GET', '/page', { Cookie: 'ann' })
    const prefetched = ['ann', page].map((visitor) => watch(handler.prefetch(listCategories, { user: visitor })))
    await run()
    const value = { [key]: categories, [`${key}loadedAt`]: clock.now() }
    expect(prefetched.map(({ now }) => now)).toEqual([
      { state: 'fulfilled', value },
      { state: 'fulfilled', value },
    ])
    expect(service.requests).toHaveLength(1)
  })

  test('uses kept responses, with their age', async () => {
    const cache = { listCategories: { maxAge: 60_000 } }
    const { handler, service, run, clock } = setupInVirtualTime({ service: { categories }, handler: { cache } })
    const loadedAt = clock.now()
    watch(handler.prefetch(listCategories, ann))
    await run(25_000)
    const later = watch(handler.prefetch(listCategories, ann))
    const other = watch(handler.prefetch(listCategories, { user: 'bob', scope: 'ann' }))
    await run()
    expect(later.now).toMatchObject({ value: { [key]: categories, [`${key}loadedAt`]: loadedAt } })
    expect(other.now).toMatchObject({ value: { [`${key}loadedAt`]: loadedAt + 25_000 } })
    expect(service.requests).toHaveLength(2)
  })

  test('has the share of its visitor', async () => {
    const { handler, service, run } = setupInVirtualTime({ service: { categories } })
    // Each call has an address of its own: equal calls would share a request.
    const prefetch = (user: string, number: number) =>
      watch(handler.prefetch({ ...listCategories, path: `/categories?${number}` }, { user, scope: 'ann' }))
    await run()
    const greedy = Array.from({ length: 80 }, (_, number) => prefetch('greedy', number))
    await run(1_000)
    // Of the 60 units a tenth is kept for newcomers.
    expect(greedy.filter(({ now }) => now.state === 'rejected')).toHaveLength(80 - 54)
    const other = prefetch('ann', 0)
    await run(1_000)
    expect(other.now).toMatchObject({ state: 'fulfilled' })
    expect(service.requests).toHaveLength(55)
  })

  test.each([
    ['a request that authorize refuses', visit('GET', '/page')],
    ['no user', ''],
  ])('refuses %s', async (_, visitor) => {
    const { handler, service, run } = setupInVirtualTime({})
    const refused = watch(handler.prefetch(listCategories, { user: visitor }))
    await run()
    expect(refused.now).toMatchObject({ state: 'rejected', error: { status: 401 } })
    expect(service.requests).toEqual([])
  })

  test('checks the response, and rejects with the error of the service', async () => {
    const { handler, service, run } = setupInVirtualTime({ service: { categories } })
    const numbers = defineOperation({ name: 'numbers', path: '/categories', output: z.array(z.number()) })
    const wrong = watch(handler.prefetch(numbers, ann))
    await run()
    expect(wrong.now).toMatchObject({ error: { kind: 'response-validation', operation: 'numbers' } })
    service.failNext({ status: 500 })
    const failed = watch(handler.prefetch(listCategories, ann))
    await run()
    expect(failed.now).toMatchObject({ error: { kind: 'server', status: 500 } })
  })

  test('can be canceled', async () => {
    const { handler, run } = setupInVirtualTime({ fetch: () => new Promise(() => {}) })
    const leaving = new AbortController()
    const left = watch(handler.prefetch(listCategories, { ...ann, signal: leaving.signal }))
    await run()
    leaving.abort()
    await run()
    expect(left.now).toMatchObject({ state: 'rejected', error: { name: 'AbortError' } })
  })
})
