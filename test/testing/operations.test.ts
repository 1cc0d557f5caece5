import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, type Operation } from '../../src/client.ts'
import { operations } from '../../src/contract/operations.ts'
import { createPetstoreService, type ServiceOperation, type ServiceRequest } from '../../src/testing.ts'
import { createClock, listRepeatedly, send } from './requests.ts'

const output = z.unknown()
const define = (method: Operation['method'], path: `/${string}`, fields: Partial<Operation> = {}): Operation =>
  defineOperation({ name: `${method} ${path}`, method, path, output, ...fields })

/** A service with an additional operation, and the requests that reach it. */
function serviceWith(operation: Operation, response: Awaited<ReturnType<ServiceOperation['handle']>> = {}) {
  const requests: ServiceRequest[] = []
  const service = createPetstoreService({
    now: createClock().now,
    operations: [
      {
        operation,
        handle(request) {
          requests.push(request)
          return response
        },
      },
    ],
  })
  return { service, requests }
}

test('a registered operation can set its body, with exact bigints, and headers such as Deprecation', async () => {
  const { service, requests } = serviceWith(operations.getPet, {
    body: { id: 9007199254740993n, name: 'Rex', tags: ['a', null, { b: [1.5, true] }], gone: undefined },
    headers: { Deprecation: '@1800000000', Sunset: 'Fri, 01 Jan 2100 00:00:00 GMT' },
  })
  const response = await send(service, '/v1/pets/7')
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('{"id":9007199254740993,"name":"Rex","tags":["a",null,{"b":[1.5,true]}]}')
  expect(response.headers.get('Deprecation')).toBe('@1800000000')
  expect(response.headers.get('Sunset')).toBe('Fri, 01 Jan 2100 00:00:00 GMT')
  expect(response.headers.get('X-RateLimit-Remaining')).toBe('59')
  expect(requests).toMatchObject([{ params: { petId: '7' }, body: undefined }])
  expect(service.requests).toMatchObject([{ operation: 'getPet', status: 200, counted: true, applied: true }])
})

test('params are percent-decoded, and the query reaches the handler', async () => {
  const { service, requests } = serviceWith(define('GET', '/pets/{petId}/toys/{toy}.json'))
  await send(service, '/v1/pets/a%2Fb%20%E7%8C%AB/toys/red%25.json?size=big&size=small')
  expect(requests[0]?.params).toEqual({ petId: 'a/b 猫', toy: 'red%' })
  expect(requests[0]?.query.getAll('size')).toEqual(['big', 'small'])
})

test('the schema checks a body that is the whole input; any other body reaches the handler unchecked', async () => {
  const input = z.object({ owner: z.object({ name: z.string('expected a string') }) })
  const checked = serviceWith(define('PUT', '/owner', { input }))
  const refused = await send(checked.service, '/v1/owner', { method: 'PUT', json: { owner: { name: 7 } } })
  expect(await refused.json()).toMatchObject({ status: 400, message: 'owner: name: expected a string' })
  expect((await send(checked.service, '/v1/owner', { method: 'PUT', body: '' })).status).toBe(400)
  const json = { owner: { name: 'Eve' }, more: true }
  expect((await send(checked.service, '/v1/owner', { method: 'PUT', json })).status).toBe(200)
  expect(checked.requests.map(({ body }) => body)).toEqual([json])

  const unchecked = serviceWith(define('PATCH', '/owner/{id}', { input }))
  await send(unchecked.service, '/v1/owner/7', { method: 'PATCH', json: { name: 7 } })
  expect(unchecked.requests).toMatchObject([{ params: { id: '7' }, body: { name: 7 } }])
})

test('an operation without input accepts a JSON body or none, but no invalid JSON', async () => {
  const { service, requests } = serviceWith(define('POST', '/wake'))
  await send(service, '/v1/wake', { method: 'POST' })
  await send(service, '/v1/wake', { json: { loud: true } })
  expect((await send(service, '/v1/wake', { method: 'POST', body: '{' })).status).toBe(400)
  expect(requests.map(({ body }) => body)).toEqual([undefined, { loud: true }])
})

test('the quickstart address requires a JSON Content-Type', async () => {
  const { service } = serviceWith(define('POST', '/other', { base: 'quickstart' }))
  expect((await send(service, '/quickstart/other', { json: 1 })).status).toBe(200)
  expect((await send(service, '/quickstart/other', { method: 'POST', body: '1' })).status).toBe(400)
})

test('the status is what the handler returns, else the first success status of the operation', async () => {
  const created = serviceWith(define('POST', '/things', { success: [202, 200] }))
  expect((await send(created.service, '/v1/things', { json: {} })).status).toBe(202)
  const missing = serviceWith(operations.getPet, {
    status: 404,
    body: { code: 'no_pet', message: 'None', status: 404 },
  })
  expect((await send(missing.service, '/v1/pets/7')).status).toBe(404)
  expect(missing.service.requests).toMatchObject([{ applied: false }])
  const empty = serviceWith(define('DELETE', '/things'), { status: 204 })
  expect(await (await send(empty.service, '/v1/things', { method: 'DELETE' })).text()).toBe('')
})

test('a handler that throws or breaks the rules of HTTP becomes a 500 that says why', async () => {
  const service = createPetstoreService({
    operations: [
      { operation: operations.getPet, handle: () => Promise.reject(new Error('out of pets')) },
      { operation: operations.listOrders, handle: () => ({ status: 204, body: 'too much' }) },
    ],
  })
  const pet = await (await send(service, '/v1/pets/7')).json()
  expect(pet).toMatchObject({ status: 500, message: expect.stringContaining('out of pets') })
  expect((await send(service, '/v1/store/orders')).status).toBe(500)
})

test('keys and quotas apply to registered operations too', async () => {
  const { service, requests } = serviceWith(operations.listOrders)
  expect((await send(service, '/v1/store/orders', { key: 'wrong' })).status).toBe(401)
  await listRepeatedly(service, 60) // all that the plan Free has for a minute
  expect((await send(service, '/v1/store/orders')).status).toBe(429)
  expect(requests).toEqual([])
})

test.each([
  ['served by the service itself', [operations.listCategories], /GET \/v1\/categories is served already/],
  ['the same twice', [operations.getPet, operations.getPet], /GET \/v1\/pets\/\{\} is served already/],
  ['the same but for the name of a field', [operations.getPet, define('GET', '/pets/{id}')], /served already/],
  ['a brace that is not closed', [define('GET', '/pets/{petId')], /path "\/pets\/\{petId" of GET .* is unclear/],
  ['a field without a name', [define('GET', '/pets/{}')], /unclear/],
  ['a field named twice', [define('GET', '/{a}/{a}')], /unclear/],
])('the service refuses operations whose paths are served already or unclear: %s', (_, list, message) => {
  const handle = () => ({})
  expect(() => createPetstoreService({ operations: list.map((operation) => ({ operation, handle })) })).toThrow(message)
})
