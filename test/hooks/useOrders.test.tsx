import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { int64, operations, useOrders } from '../../src/index.ts'
import { createPetstoreService, type JsonValue } from '../../src/testing.ts'
import { renderOnService } from '../renderOnService.tsx'

afterEach(cleanup)

const ordersSchema = z.array(z.object({ id: int64, quantity: z.number() }))

const serviceOf = (body: JsonValue) =>
  createPetstoreService({ operations: [{ operation: operations.listOrders, handle: () => ({ body }) }] })

function Orders() {
  const { data, error, refresh } = useOrders({ schema: ordersSchema })
  return (
    <button type="button" onClick={() => void refresh()}>
      {error?.kind ?? data?.map(({ id, quantity }) => `${quantity} × ${id}`).join()}
    </button>
  )
}

test("loads the orders with the app's own schema", async () => {
  const service = serviceOf([
    { id: '9007199254740993', quantity: 2 },
    { id: 4, quantity: 1 },
  ])
  renderOnService(
    <>
      <Orders />
      <Orders />
    </>,
    { service },
  )
  await waitFor(() => expect(screen.getAllByText('2 × 9007199254740993,1 × 4')).toHaveLength(2))
  expect(service.requests).toMatchObject([{ operation: 'listOrders', path: '/v1/store/orders' }])
})

test('a response that does not match the schema is an error', async () => {
  renderOnService(<Orders />, { service: serviceOf([{ id: 4 }]) })
  expect(await screen.findByText('response-validation')).toBeDefined()
})
