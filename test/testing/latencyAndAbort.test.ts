import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation } from '../../src/contract/defineOperation.ts'
import { createPetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { create, createAlarm, list, send, settle } from './requests.ts'

function createSlowService(options: PetstoreServiceOptions = {}) {
  const alarm = createAlarm()
  const service = createPetstoreService({ latency: 200, sleep: alarm.sleep, categories: [], ...options })
  return { service, alarm, names: () => service.categories().map(({ name }) => name) }
}

const outcome = (response: Promise<Response>) => response.then(({ status }) => status).catch((error: unknown) => error)

test('half of the latency passes before the work and half after', async () => {
  const { service, alarm, names } = createSlowService()
  const response = create(service, 'Fox')
  await settle()
  expect([alarm.asked, names(), service.requests]).toEqual([[100], [], []])
  await alarm.wake()
  expect([alarm.asked, names()]).toEqual([[100, 100], ['Fox']])
  expect(service.requests).toMatchObject([{ applied: true, status: undefined, respondedAt: undefined }])
  await alarm.wake()
  expect((await response).status).toBe(201)
  expect(service.requests).toMatchObject([{ status: 201 }])
})

test('latency may differ per request, and 0 does not call sleep', async () => {
  const latencies = [0, 30]
  const { service, alarm } = createSlowService({ latency: () => latencies.shift() ?? 0 })
  expect((await list(service)).status).toBe(200)
  const slow = list(service)
  await alarm.wake()
  await alarm.wake()
  expect((await slow).status).toBe(200)
  expect(alarm.asked).toEqual([15, 15])
})

test('an invalid latency rejects with a clear message', async () => {
  const { service } = createSlowService({ latency: () => -1 })
  await expect(list(service)).rejects.toThrow(/latency must be a number of milliseconds/)
})

test('an abort before sending rejects at once, and the request never arrives', async () => {
  const { service, alarm } = createSlowService()
  await expect(list(service, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  expect([service.requests, alarm.asked]).toEqual([[], []])
})

test('an abort on the way there rejects with the reason, and the request never arrives', async () => {
  const { service, alarm, names } = createSlowService()
  const controller = new AbortController()
  const result = outcome(create(service, 'Fox', { signal: controller.signal }))
  await settle()
  const reason = new Error('enough')
  controller.abort(reason)
  expect(await result).toBe(reason)
  await alarm.wake()
  expect([service.requests, names()]).toEqual([[], []])
})

test('an abort while the body is read counts, but the work is not done', async () => {
  const { service, names } = createSlowService({ latency: 0 })
  const controller = new AbortController()
  const result = outcome(create(service, 'Fox', { signal: controller.signal }))
  expect(service.requests).toHaveLength(1)
  controller.abort()
  expect(await result).toMatchObject({ name: 'AbortError' })
  await settle()
  expect(names()).toEqual([])
  expect(service.requests).toMatchObject([{ counted: true, applied: false, status: undefined, respondedAt: undefined }])
})

test('an abort during the work still records that the work was done', async () => {
  let finish = () => {}
  const { service } = createSlowService({
    latency: 0,
    operations: [
      {
        operation: defineOperation({ name: 'rest', path: '/rest', output: z.unknown() }),
        handle: () =>
          new Promise((resolve) => {
            finish = () => resolve({ body: 'rested' })
          }),
      },
    ],
  })
  const controller = new AbortController()
  const result = outcome(send(service, '/v1/rest', { signal: controller.signal }))
  await settle()
  controller.abort('bored')
  expect(await result).toBe('bored')
  expect(service.requests).toMatchObject([{ applied: false }])
  finish()
  await settle()
  expect(service.requests).toMatchObject([{ applied: true, status: undefined }])
})

test('an abort on the way back loses the response, but the work is done', async () => {
  const { service, alarm, names } = createSlowService()
  const controller = new AbortController()
  const result = outcome(create(service, 'Fox', { signal: controller.signal }))
  await alarm.wake()
  controller.abort()
  expect(await result).toMatchObject({ name: 'AbortError' })
  expect(names()).toEqual(['Fox'])
  expect(service.requests).toMatchObject([{ counted: true, applied: true, status: undefined, respondedAt: undefined }])
})

test('an abort while the body arrives rejects without waiting for the rest', async () => {
  const { service, names } = createSlowService({ latency: 0 })
  const controller = new AbortController()
  const init = { method: 'POST', headers: { Authorization: 'Bearer demo' }, duplex: 'half' }
  const body = new ReadableStream()
  const request = new Request(`${service.baseUrl}/categories`, { ...init, body, signal: controller.signal })
  const result = outcome(service.fetch(request))
  await settle()
  controller.abort()
  expect(await result).toMatchObject({ name: 'AbortError' })
  expect(names()).toEqual([])
})

test('an abort right after sending gets no response, and nothing is done', async () => {
  const done: string[] = []
  const { service } = createSlowService({
    latency: 0,
    operations: [
      {
        operation: defineOperation({ name: 'wipe', path: '/all', method: 'DELETE', output: z.unknown() }),
        handle: () => {
          done.push('wipe')
          return {}
        },
      },
    ],
  })
  for (const key of ['demo', 'wrong']) {
    const controller = new AbortController()
    const result = outcome(send(service, '/v1/all', { method: 'DELETE', key, signal: controller.signal }))
    controller.abort()
    expect(await result).toMatchObject({ name: 'AbortError' })
  }
  expect(done).toEqual([])
  expect(service.requests.map(({ status }) => status)).toEqual([undefined, undefined])
})

test('requests in flight during a reset do not reach the new data or the new requests', async () => {
  const { service, alarm, names } = createSlowService()
  const result = outcome(create(service, 'Stray'))
  await settle()
  service.reset()
  await alarm.wake()
  await alarm.wake()
  expect(await result).toBe(201)
  expect([names(), service.requests]).toEqual([[], []])
})
