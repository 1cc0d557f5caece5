import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation } from '../../src/client.ts'
import { createPetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { create, createAlarm, list, send, settle } from './requests.ts'

/** A service whose latency passes only when the alarm wakes it. */
function createServiceWithAlarm(options: PetstoreServiceOptions = {}) {
  const alarm = createAlarm()
  const service = createPetstoreService({ latency: 200, sleep: alarm.sleep, categories: [], ...options })
  return { service, alarm, names: () => service.categories().map(({ name }) => name) }
}

const outcome = (response: Promise<Response>) => response.then(({ status }) => status).catch((error: unknown) => error)

test('half of the latency passes before the work and half after', async () => {
  const { service, alarm, names } = createServiceWithAlarm()
  const response = create(service, 'Fox')
  await settle()
  expect([alarm.delays, names(), service.requests]).toEqual([[100], [], []])
  await alarm.wake()
  expect([alarm.delays, names()]).toEqual([[100, 100], ['Fox']])
  expect(service.requests).toMatchObject([{ applied: true, status: undefined, respondedAt: undefined }])
  await alarm.wake()
  expect((await response).status).toBe(201)
  expect(service.requests).toMatchObject([{ status: 201 }])
})

test('a latency of 0 does not call sleep', async () => {
  const { service, alarm } = createServiceWithAlarm({ latency: 0 })
  expect((await list(service)).status).toBe(200)
  expect(alarm.delays).toEqual([])
})

test('an abort before sending rejects at once, and the request never arrives', async () => {
  const { service, alarm } = createServiceWithAlarm()
  await expect(list(service, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  expect([service.requests, alarm.delays]).toEqual([[], []])
})

test('an abort in the first half of the latency rejects with the reason, and the request never arrives', async () => {
  const { service, alarm, names } = createServiceWithAlarm()
  const controller = new AbortController()
  const result = outcome(create(service, 'Fox', { signal: controller.signal }))
  await settle()
  const reason = new Error('enough')
  controller.abort(reason)
  expect(await result).toBe(reason)
  await alarm.wake()
  expect([service.requests, names()]).toEqual([[], []])
})

test('a request aborted while the service reads its body uses quota but changes nothing', async () => {
  const { service, names } = createServiceWithAlarm({ latency: 0 })
  const controller = new AbortController()
  const result = outcome(create(service, 'Fox', { signal: controller.signal }))
  expect(service.requests).toHaveLength(1)
  controller.abort()
  expect(await result).toMatchObject({ name: 'AbortError' })
  await settle()
  expect(names()).toEqual([])
  expect(service.requests).toMatchObject([{ counted: true, applied: false, status: undefined, respondedAt: undefined }])
})

test('an abort while the handler runs still records that the work was done', async () => {
  let finish = () => {}
  const { service } = createServiceWithAlarm({
    latency: 0,
    operations: [
      {
        operation: defineOperation({ name: 'slow', path: '/slow', output: z.unknown() }),
        handle: () =>
          new Promise((resolve) => {
            finish = () => resolve({})
          }),
      },
    ],
  })
  const controller = new AbortController()
  const result = outcome(send(service, '/v1/slow', { signal: controller.signal }))
  await settle()
  controller.abort('enough')
  expect(await result).toBe('enough')
  expect(service.requests).toMatchObject([{ applied: false }])
  finish()
  await settle()
  expect(service.requests).toMatchObject([{ applied: true, status: undefined }])
})

test('an abort in the second half of the latency loses the response, but the work is done', async () => {
  const { service, alarm, names } = createServiceWithAlarm()
  const controller = new AbortController()
  const result = outcome(create(service, 'Fox', { signal: controller.signal }))
  await alarm.wake()
  controller.abort()
  expect(await result).toMatchObject({ name: 'AbortError' })
  expect(names()).toEqual(['Fox'])
  expect(service.requests).toMatchObject([{ counted: true, applied: true, status: undefined, respondedAt: undefined }])
})

test('an abort ends the wait for a body that never ends', async () => {
  const { service } = createServiceWithAlarm({ latency: 0 })
  const controller = new AbortController()
  // Not inline: TypeScript's `RequestInit` lacks `duplex`.
  const init = { method: 'POST', headers: { Authorization: 'Bearer demo' }, duplex: 'half' }
  const body = new ReadableStream()
  const request = new Request(`${service.baseUrl}/categories`, { ...init, body, signal: controller.signal })
  const result = outcome(service.fetch(request))
  await settle()
  controller.abort()
  expect(await result).toMatchObject({ name: 'AbortError' })
})

test('an abort right after sending gets no response, and the handler is not called', async () => {
  const handle = vi.fn<() => object>(() => ({}))
  const wipe = defineOperation({ name: 'wipe', path: '/all', method: 'DELETE', output: z.unknown() })
  const { service } = createServiceWithAlarm({ latency: 0, operations: [{ operation: wipe, handle }] })
  const controller = new AbortController()
  const result = outcome(send(service, '/v1/all', { method: 'DELETE', signal: controller.signal }))
  controller.abort()
  expect(await result).toMatchObject({ name: 'AbortError' })
  expect(handle).not.toHaveBeenCalled()
  expect(service.requests).toMatchObject([{ status: undefined }])
})

test('an abort right after sending a wrong key gets no 401', async () => {
  const { service } = createServiceWithAlarm({ latency: 0 })
  const controller = new AbortController()
  const result = outcome(list(service, { key: 'wrong', signal: controller.signal }))
  controller.abort()
  expect(await result).toMatchObject({ name: 'AbortError' })
  expect(service.requests).toMatchObject([{ status: undefined }])
})

test('requests in flight during a reset change neither the data nor the recorded requests after it', async () => {
  const { service, alarm, names } = createServiceWithAlarm()
  const result = outcome(create(service, 'Stray'))
  await settle()
  service.reset()
  await alarm.wake()
  await alarm.wake()
  expect(await result).toBe(201)
  expect([names(), service.requests]).toEqual([[], []])
})
