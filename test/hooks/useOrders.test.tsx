import { cleanup, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { int64, operations, useOrders } from '../../src/index.ts'
import { createPetstoreService, type JsonValue } from '../../src/testing.ts'
import { renderHookOnService } from './renderHookOnService.tsx'

afterEach(cleanup)

const schema = z.array(z.object({ id: int64, quantity: z.number() }))

const renderOrders = (body: JsonValue) =>
  renderHookOnService(() => useOrders({ schema }), {
    service: createPetstoreService({ operations: [{ operation: operations.listOrders, handle: () => ({ body }) }] }),
  })

test("loads the orders with the app's own schema", async () => {
  const { current, service } = renderOrders([{ id: '9007199254740993', quantity: 2, other: true }])
  await waitFor(() => expect(current().data).toEqual([{ id: '9007199254740993', quantity: 2 }]))
  expect(service.requests).toMatchObject([{ operation: 'listOrders', path: '/v1/store/orders' }])
})

test('a response that does not match the schema is an error', async () => {
  const { current } = renderOrders([{ id: 4 }])
  await waitFor(() => expect(current().error?.kind).toBe('response-validation'))
})
