import { expect, test, vi } from 'vitest'
import { createQuickClient, failureOf, json } from '../client/client.setup.ts'

vi.mock('../../src/client/createRedact.ts', () => {
  throw new Error('The file is gone.')
})

const key = 'canary-of-the-server'

test('a page that cannot load what finds the key in other forms shows nothing of a text that may have one', async () => {
  const refuse = (message: string) => async () => json({ code: 'refused', message, status: 400 }, 400)
  const failWith = async (message: string) =>
    String(await failureOf(createQuickClient(refuse(message), { apiKey: key }).listCategories()))
  expect(await failWith(`The key ${key} is bad.`)).toContain('The key [API key] is bad. (refused)')
  for (const hidden of [encodeURIComponent(`${key}/%`), btoa(`Bearer ${key}`), 'canary&#45;of-the-server']) {
    const message = await failWith(`The key ${hidden} is bad.`)
    expect(message).toContain('[redacted]')
    expect(message).not.toContain(hidden)
  }
})
