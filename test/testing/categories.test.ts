import { expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { create, list, send } from './requests.ts'

test('the default is five categories, some without a description', async () => {
  const service = createPetstoreService()
  const categories = await (await list(service)).json()
  expect(categories).toHaveLength(5)
  expect(categories[0]).toEqual({ id: 1, name: 'Dog', description: expect.any(String) })
  expect(categories[3]).toEqual({ id: 4, name: 'Guinea pig' })
  expect(service.categories().map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5'])
})

test('ids are written as exact integer literals, from a string, a number or a bigint', async () => {
  const ids = ['9007199254740993', 42, 9223372036854775807n, '-9223372036854775808']
  const service = createPetstoreService({ categories: ids.map((id) => ({ id, name: 'Dog' })) })
  const literals = [...(await (await list(service)).text()).matchAll(/"id":([^,]*)/g)].map((match) => match[1])
  expect(literals).toEqual(ids.map(String))
  expect(service.categories().map(({ id }) => id)).toEqual(ids.map(String))
})

test('categories without an id get the lowest free id', () => {
  const service = createPetstoreService({
    categories: [{ id: 1, name: 'A' }, { name: 'B' }, { id: '3', name: 'C' }, { name: 'D' }],
  })
  expect(service.categories().map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
})

test('created categories get free ids from firstId on, exact beyond 2^53, and from 1 after the last int64', async () => {
  const idOf = async (response: Promise<Response>) => /"id":(\d+)/.exec(await (await response).text())?.[1]
  const large = createPetstoreService({
    firstId: '9007199254740993',
    categories: [{ id: 9007199254740994n, name: 'Dog' }],
  })
  expect(await idOf(create(large, 'Cat'))).toBe('9007199254740993')
  expect(await idOf(create(large, 'Cow'))).toBe('9007199254740995')
  const last = createPetstoreService({ firstId: 2n ** 63n - 1n, categories: [{ id: 1, name: 'Dog' }] })
  expect(await idOf(create(last, 'Cat'))).toBe('9223372036854775807')
  expect(await idOf(create(last, 'Cow'))).toBe('2')
})

test('a created category is stored as sent, without unknown fields', async () => {
  const service = createPetstoreService({ categories: [] })
  const json = { id: 7, name: ' "Ж" ', description: '', color: 'red' }
  expect(await (await send(service, '/v1/categories', { json })).json()).toEqual({
    id: 1,
    name: ' "Ж" ',
    description: '',
  })
  expect(service.categories()).toEqual([{ id: '1', name: ' "Ж" ', description: '' }])
})

test('100,000 generated categories are the same in every service', async () => {
  const service = createPetstoreService({ categories: 100_000 })
  const text = await (await list(service)).text()
  const rows: unknown = JSON.parse(text)
  expect(rows).toHaveLength(100_000)
  expect(new Set(service.categories().map(({ id }) => id)).size).toBe(100_000)
  expect(await (await list(createPetstoreService({ categories: 100_000 }))).text()).toBe(text)
  await create(service, 'One more')
  expect(await (await list(service)).json()).toHaveLength(100_001)
})
