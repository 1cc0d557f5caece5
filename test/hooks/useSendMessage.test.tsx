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
