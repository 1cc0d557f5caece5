import { afterEach, expect, test, vi } from 'vitest'
import { setup, watch } from './client.setup.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

/** Records what is written to the performance timeline, and what is removed from it. */
function watchTimeline() {
  const cleared: string[] = []
  const measured: { name: string; duration: number; detail: unknown }[] = []
  vi.stubGlobal('performance', {
    now: () => 100_000,
    measure: (name: string, { start, end, detail }: { start: number; end: number; detail: unknown }) => {
      expect(start).toBeGreaterThanOrEqual(0)
      measured.push({ name, duration: end - start, detail })
    },
    clearMeasures: (name: string) => cleared.push(name),
  })
  return { measured, cleared }
}

test('the performance panel shows each call and its phases', async () => {
  const { measured, cleared } = watchTimeline()
  const { client, service, events, run } = setup({ service: { latency: 100 } })
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  watch(client.createCategory({ name: 'Dog' }))
  await run()
  const detail = { callId: events[0]?.callId }
  const wait = events.flatMap((event) => (event.type === 'request' ? [event.waited] : [])).at(-1)
  expect(wait).toBeGreaterThanOrEqual(30_000)
  expect(measured).toEqual([
    { name: 'petstore: createCategory · key', duration: 0, detail },
    { name: 'petstore: createCategory · queued', duration: 0, detail },
    { name: 'petstore: createCategory · network', duration: 100, detail },
    { name: 'petstore: createCategory · reading', duration: 0, detail },
    { name: 'petstore: createCategory · queued', duration: wait, detail },
    { name: 'petstore: createCategory · network', duration: 100, detail },
    { name: 'petstore: createCategory · reading', duration: 0, detail },
    { name: 'petstore: createCategory', duration: (wait ?? 0) + 200, detail },
  ])
  expect(cleared).toEqual(measured.map(({ name }) => name))
})

test('nothing is measured in production, nor where the timeline has no measures', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const { measured } = watchTimeline()
  const { client, run } = setup()
  const call = watch(client.listCategories())
  await run()
  expect(call.now.state).toBe('fulfilled')
  expect(measured).toEqual([])

  vi.unstubAllEnvs()
  vi.stubGlobal('performance', { now: () => 0 })
  const another = watch(client.listCategories())
  await run()
  expect(another.now.state).toBe('fulfilled')
})
