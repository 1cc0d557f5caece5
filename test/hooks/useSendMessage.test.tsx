import { cleanup, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import {
  type Message,
  type NewMessage,
  type PetstoreError,
  useSendMessage,
  type UseSendMessageOptions,
} from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { renderHookOnService } from './renderHookOnService.tsx'

afterEach(cleanup)

const service = createPetstoreService()
afterEach(() => service.reset())

const renderSender = (options: UseSendMessageOptions = {}, quickstartBaseUrl?: string) =>
  renderHookOnService(() => useSendMessage(options), {
    service,
    quickstartBaseUrl: quickstartBaseUrl ?? service.quickstartBaseUrl,
    retry: { attempts: 3, maxWait: 5_000 },
  })

test('sends the text and returns the echo with the status queued', async () => {
  const onSuccess = vi.fn<(message: Message, newMessage: NewMessage) => void>()
  const { current } = renderSender({ onSuccess })
  const { data: message } = await current().trigger({ message: 'Hello' })
  const createdAt = message?.createdAt ?? ''
  expect(message).toEqual({ id: 'msg_1', message: 'Hello', status: 'queued', createdAt })
  expect(Date.parse(createdAt)).not.toBeNaN()
  await waitFor(() => expect(current()).toMatchObject({ status: 'success', data: message, isMutating: false }))
  expect(onSuccess.mock.calls).toEqual([[message, { message: 'Hello' }]])
  expect(service.messages()).toEqual([message])
  expect(service.requests).toMatchObject([{ operation: 'sendMessage', key: 'demo' }])
})

test('sends to the quickstart address, not to the base address', async () => {
  const requests: string[] = []
  const { current } = renderHookOnService(() => useSendMessage(), {
    baseUrl: 'https://pets.test/v1',
    quickstartBaseUrl: 'https://quick.test/start',
    fetch: async (request) => {
      requests.push(request.url)
      return new Response(null, { status: 404 })
    },
  })
  await expect(current().trigger({ message: 'Hello' })).resolves.toMatchObject({ error: { kind: 'unexpected-status' } })
  expect(requests).toEqual(['https://quick.test/start/messages'])
})

test('any text with words arrives unchanged; an empty one is not sent', async () => {
  const { current } = renderSender()
  const texts = [' Hi ', '\u{1F436}', 'a\u0000b\n"\\', 'x'.repeat(100_000)]
  for (const text of texts)
    await expect(current().trigger({ message: text })).resolves.toMatchObject({ data: { message: text } })
  for (const empty of ['', ' \n']) {
    await expect(current().trigger({ message: empty })).resolves.toMatchObject({ error: { kind: 'input-validation' } })
  }
  expect(service.messages().map(({ message }) => message)).toEqual(texts)
})

test('an unknown status is kept as text', async () => {
  const response = { id: 'm', message: 'Hello', status: 'held-for-review', createdAt: '2026-01-01T00:00:00Z' }
  const { current } = renderHookOnService(() => useSendMessage(), {
    quickstartBaseUrl: 'https://quick.test',
    fetch: async () => Response.json(response, { status: 202 }),
  })
  await expect(current().trigger({ message: 'Hello' })).resolves.toEqual({ data: response })
})

test('without a quickstartBaseUrl, the error says what to set and nothing is sent', async () => {
  const fetch = vi.fn<(request: Request) => Promise<Response>>()
  const onError = vi.fn<(error: PetstoreError) => void>()
  const { current } = renderHookOnService(() => useSendMessage({ onError }), { fetch })
  const reported = vi.fn<(error: unknown) => void>()
  vi.stubGlobal('reportError', reported)
  const { error } = await current().trigger({ message: 'Hello' })
  expect(error).toEqual(new TypeError('sendMessage goes to the quickstart address: set quickstartBaseUrl.'))
  expect(reported).toHaveBeenCalledWith(error)
  vi.unstubAllGlobals()
  await waitFor(() => expect(current().status).toBe('idle'))
  expect(fetch).not.toHaveBeenCalled()
  expect(onError).not.toHaveBeenCalled()
})
