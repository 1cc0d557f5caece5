import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, InputValidationError, operations } from '../../../src/client.ts'
import type { ValidCall } from '../../../src/client/Call.ts'
import { validateInput } from '../../../src/client/steps/validateInput.ts'
import { createQuickClient, failureOf, json, watchRequests } from '../client.setup.ts'
import { createCall, receivedBy, stubNext } from './step.setup.ts'

const addresses = { service: 'https://petstore.test/v1', quickstart: 'https://quickstart.test' }
const step = validateInput(addresses)

describe('the step alone', () => {
  test('adds the request to the call and changes nothing else', async () => {
    const next = stubNext<ValidCall>()
    const call = createCall({ operation: operations.createCategory, input: { name: 'Dog' } })
    expect(await step(call, next)).toBe('the result')
    const request = { method: 'POST', url: 'https://petstore.test/v1/categories', body: '{"name":"Dog"}' }
    expect(receivedBy(next)).toEqual([{ ...call, request }])
  })

  test('passes on the input that the schema returns', async () => {
    const next = stubNext<ValidCall>()
    const operation = defineOperation({
      name: 'search',
      path: '/search',
      input: z.pipe(
        z.string(),
        z.transform((term) => ({ term: term.trim() })),
      ),
      output: z.unknown(),
    })
    await step(createCall({ operation, input: ' dog ' }), next)
    expect(receivedBy(next)).toMatchObject([
      { input: { term: 'dog' }, request: { url: 'https://petstore.test/v1/search?term=dog' } },
    ])
  })

  test('drops the input of an operation that takes none', async () => {
    const next = stubNext<ValidCall>()
    await step(createCall({ input: { limit: 1 } }), next)
    expect(receivedBy(next)).toMatchObject([{ input: undefined, request: { url: `${addresses.service}/categories` } }])
  })

  test.each([
    ['the schema refuses', operations.createCategory, { name: 7 }, ['name']],
    ['the path cannot hold', operations.getPet, { petId: '..' }, ['petId']],
  ])('rejects an input that %s, and calls no further step', async (_, operation, input, path) => {
    const next = stubNext<ValidCall>()
    const error = await failureOf(step(createCall({ operation, input }), next))
    expect(error).toBeInstanceOf(InputValidationError)
    expect(error).toMatchObject({ operation: operation.name, attempts: 0, issues: [{ path }] })
    expect(next).not.toHaveBeenCalled()
  })

  test('rejects a call whose address is not configured, before it looks at the input', async () => {
    const next = stubNext<ValidCall>()
    const withoutQuickstart = validateInput({ ...addresses, quickstart: undefined })
    const error = await failureOf(withoutQuickstart(createCall({ operation: operations.sendMessage }), next))
    expect(error).toEqual(new TypeError('sendMessage goes to the quickstart address: set quickstartBaseUrl.'))
    expect(next).not.toHaveBeenCalled()
  })

  test('refuses the input where the schema throws', async () => {
    const input = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: () => {
          throw new Error('in the schema')
        },
      },
    } as const
    const next = stubNext<ValidCall>()
    const error = await failureOf(step(createCall({ operation: { ...operations.listCategories, input } }), next))
    expect(error).toBeInstanceOf(InputValidationError)
    expect(error).toMatchObject({ attempts: 0, issues: [{ message: 'the schema failed on it' }] })
    expect(next).not.toHaveBeenCalled()
  })

  test('passes an error of the steps after it on unchanged', async () => {
    const mistake = new Error('later')
    expect(await failureOf(step(createCall(), () => Promise.reject(mistake)))).toBe(mistake)
  })
})

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
    expect(sent).toMatchObject([{ url: `${addresses.service}/store/orders`, body: '' }])
  })
})
