import { expect, test } from 'vitest'
import { createPetstoreClient } from '../../src/client.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { storeChecks } from '../rate-limit/stores/storeChecks.ts'

test('the props lead a client to the service, with its first key', async () => {
  const service = createPetstoreService({ keys: ['first', 'second'], categories: [{ name: 'Dog' }] })
  const client = createPetstoreClient(service.providerProps())
  expect(await client.listCategories()).toMatchObject([{ name: 'Dog' }])
  await client.sendMessage({ message: 'Hi' })
  expect(service.requests.map(({ key, operation }) => [key, operation])).toEqual([
    ['first', 'listCategories'],
    ['first', 'sendMessage'],
  ])
})

test('the props and the limits stay the same until a reset, and no service knows the limits of another', async () => {
  const service = createPetstoreService({ plan: [{ limit: 1, per: 3_600_000 }] })
  expect(service.providerProps()).toBe(service.providerProps())
  const list = ({ providerProps }: typeof service) =>
    createPetstoreClient({ ...providerProps(), retry: { maxWait: 0 } })
      .listCategories()
      .then(
        () => 'listed',
        ({ kind }: { kind: string }) => kind,
      )
  expect([await list(service), await list(service)]).toEqual(['listed', 'rate-limit'])
  expect(service.requests).toHaveLength(1)
  expect(await list(createPetstoreService())).toBe('listed')
  service.reset()
  expect(await list(service)).toBe('listed')
})

// The checks create several stores on the same data. No other store has the data of this one, so all are this one.
const { rateLimitStore } = createPetstoreService().providerProps()
test.each(storeChecks(() => rateLimitStore))('The store: $name', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined()
})
