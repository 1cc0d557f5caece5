import { describe, expect, test } from 'vitest'
import type { PetstoreClient } from '../../src/client.ts'
import { createQuickClient, failureOf, json } from './client.setup.ts'

async function myAppCode(call: () => Promise<unknown>): Promise<void> {
  await call()
}

const stackOf = async (call: () => Promise<unknown>) => {
  const error = await failureOf(myAppCode(call))
  return error instanceof Error ? error.stack : undefined
}

const refusing = (status: number) => createQuickClient(async () => json({ code: 'c', message: 'm', status }, status))

describe('the stack of an error names the code of the app that awaits the call', () => {
  const calls: readonly (readonly [string, PetstoreClient, (client: PetstoreClient) => Promise<unknown>])[] = [
    ['a GET that the service refuses', refusing(401), (client) => client.listCategories()],
    ['a POST that the service refuses', refusing(400), (client) => client.createCategory({ name: 'Dog' })],
    ['a response of the wrong shape', createQuickClient(async () => json({})), (client) => client.listCategories()],
    [
      'a failed connection',
      createQuickClient(() => Promise.reject(new TypeError())),
      (client) => client.listCategories(),
    ],
    // @ts-expect-error A name is text.
    ['an invalid input', refusing(500), (client) => client.createCategory({ name: 1 })],
  ]

  test.each(calls)('%s', async (_, client, call) => {
    expect(await stackOf(() => call(client))).toMatch(/at (?:async )?myAppCode /)
  })
})
