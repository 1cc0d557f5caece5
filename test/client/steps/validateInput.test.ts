import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, InputValidationError, operations } from '../../../src/client.ts'
import { createQuickClient, failureOf, json, watchRequests } from '../client.setup.ts'

describe('the input of a call', () => {
  test('is checked before the client reads the key or sends anything', async () => {
    let keysRead = 0
    const { sent, fetch } = watchRequests(async () => json({ id: 7, name: 'Dog' }, 201))
    const client = createQuickClient(fetch, { apiKey: () => `key-${++keysRead}` })
    const error = await failureOf(client.createCategory(JSON.parse('{"name": 7}')))
    expect(error).toBeInstanceOf(InputValidationError)
    expect(error).toMatchObject({ attempts: 0, issues: [{ message: 'expected a string', path: ['name'] }] })
    expect(await failureOf(client.sendMessage(JSON.parse('null')))).toBeInstanceOf(InputValidationError)
    expect(sent).toEqual([])
    expect(keysRead).toBe(0)
  })

  test('can have an asynchronous schema, and is sent as the schema returns it', async () => {
    const input = z.object({
      born: z.pipe(
        z.date(),
        z.transform(async (date) => date.toISOString().slice(0, 10)),
      ),
    })
    const { sent, fetch } = watchRequests(async () => json({}))
    const create = defineOperation({ name: 'createPet', method: 'POST', path: '/pets', input, output: z.unknown() })
    await createQuickClient(fetch).call(create, { born: new Date(0) })
    expect(sent.map(({ body }) => body)).toEqual(['{"born":"1970-01-01"}'])
  })

  test('is not sent where the operation takes none', async () => {
    const { sent, fetch } = watchRequests(async () => json({}))
    await createQuickClient(fetch).call(operations.listOrders, JSON.parse('{"limit": 1}'))
    expect(sent).toMatchObject([{ url: 'https://petstore.test/v1/store/orders', body: '' }])
  })
})
