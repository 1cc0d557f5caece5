import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { createQuickClient, networkFailure, watchRequests } from './client.setup.ts'

const warnings: Error[] = []
const record = (warning: Error) => void warnings.push(warning)
beforeEach(() => {
  warnings.length = 0
  process.on('warning', record)
})
afterEach(() => void process.off('warning', record))

/** Node warns of more than ten listeners, in the next tick. */
const warningsEmitted = () => new Promise((resolve) => setImmediate(resolve))

test.each(['one after the other', 'at the same time'])(
  '200 calls %s leave no listener behind, with a signal or without',
  async (how) => {
    const service = createPetstoreService({ plan: [{ limit: 1_000, per: 86_400_000 }], categories: [] })
    const { sent, fetch } = watchRequests(service.fetch)
    const client = createQuickClient(fetch, { retry: { maxWait: 60_000 } })
    const { signal } = new AbortController()
    const calls = Array.from(
      { length: 200 },
      (_, index) => () => client.createCategory({ name: `${index}` }, index % 2 ? { signal } : {}),
    )
    if (how === 'at the same time') await Promise.all(calls.map((call) => call()))
    else for (const call of calls) await call()
    await warningsEmitted()
    expect(sent).toHaveLength(200)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(warnings).toEqual([])
  },
)

test('200 calls that fail or are aborted leave no listener behind', async () => {
  const client = createQuickClient(networkFailure, {
    retry: { attempts: 1, maxWait: 60_000 },
  })
  const { signal } = new AbortController()
  const controller = new AbortController()
  const calls = Array.from({ length: 200 }, (_, index) =>
    client.listCategories({ signal: index % 2 ? signal : controller.signal }),
  )
  controller.abort()
  const results = await Promise.allSettled(calls)
  await warningsEmitted()
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect([...getEventListeners(signal, 'abort'), ...getEventListeners(controller.signal, 'abort')]).toEqual([])
  expect(warnings).toEqual([])
})
