import { describe, expect, test } from 'vitest'
import type { PetstoreClient } from '../../src/client.ts'
import { createQuickClient, failureOf, json, type MakeCall, networkFailure } from './client.setup.ts'

async function myAppCode(call: () => Promise<unknown>): Promise<void> {
  await call()
}

const stackOf = async (call: () => Promise<unknown>) => {
  const error = await failureOf(myAppCode(call))
  return error instanceof Error ? error.stack : undefined
}

const createRefusedClient = (status: number) =>
  createQuickClient(async () => json({ code: 'c', message: 'm', status }, status))

describe('the stack of an error contains the frame of the app that awaits the call', () => {
  const cases: readonly (readonly [string, PetstoreClient, MakeCall])[] = [
    ['a GET that the service refuses', createRefusedClient(401), (client) => client.listCategories()],
    ['a POST that the service refuses', createRefusedClient(400), (client) => client.createCategory({ name: 'Dog' })],
    ['a response of the wrong shape', createQuickClient(async () => json({})), (client) => client.listCategories()],
    ['a failed connection', createQuickClient(networkFailure), (client) => client.listCategories()],
    // @ts-expect-error: a name is text
    ['an invalid input', createRefusedClient(500), (client) => client.createCategory({ name: 1 })],
  ]

  test.each(cases)('%s', async (_, client, call) => {
    expect(await stackOf(() => call(client))).toMatch(/at (?:async )?myAppCode /)
  })
})
