import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PetstoreDevtoolsPanel } from '../../src/devtools.ts'
import {
  createMemoryStore,
  createPetstoreClient,
  type PetstoreClient,
  type PetstoreClientOptions,
} from '../../src/index.ts'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions, replay } from '../../src/testing.ts'
import { newAddress, OwnCache } from '../renderOnService.tsx'

const clipboard = Object.getOwnPropertyDescriptor(navigator, 'clipboard')

beforeEach(() => {
  vi.useFakeTimers()
  // The panel shows what it cannot copy.
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  if (clipboard) Object.defineProperty(navigator, 'clipboard', clipboard)
  else Reflect.deleteProperty(navigator, 'clipboard')
})

interface Situation {
  readonly service?: PetstoreServiceOptions
  readonly client?: Partial<PetstoreClientOptions>
  /** Happens before anything is recorded. */
  readonly before?: (client: PetstoreClient, service: PetstoreService) => Promise<void>
  /** What is recorded. */
  readonly run: (client: PetstoreClient, service: PetstoreService) => Promise<void>
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const list = (client: PetstoreClient, signal?: AbortSignal) => void client.listCategories({ signal }).catch(() => {})
const create = (client: PetstoreClient, signal?: AbortSignal) =>
  void client.createCategory({ name: 'Secret' }, { signal }).catch(() => {})

/** Plays a situation on the service in memory, and copies what the developer tools have recorded. */
async function record({ service: serviceOptions, client: options, before, run }: Situation): Promise<string> {
  const service = createPetstoreService({ latency: 80, ...serviceOptions })
  const rateLimitStore = createMemoryStore()
  const { fetch } = service
  const client = createPetstoreClient({ baseUrl: newAddress(), apiKey: 'demo', fetch, rateLimitStore, ...options })
  await before?.(client, service)
  render(<PetstoreDevtoolsPanel client={client} />, { wrapper: OwnCache })
  await run(client, service)
  // The panel gathers what happens for a moment.
  await pass(200)
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Copy as JSON' })))
  return screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Report as JSON' }).value
}

const refuse = (service: PetstoreService) => service.failNext({ status: 429, headers: { 'Retry-After': '42' } })

const coolDown: Situation = {
  run: async (client, service) => {
    refuse(service)
    list(client)
    await pass(1_000)
    for (let count = 0; count < 5; count += 1) create(client)
    await pass(60_000)
  },
}

const lostResponses: Situation = {
  run: async (client, service) => {
    list(client)
    await pass(1_000)
    service.failNext({ connection: 'lost-after' }, 2)
    list(client)
    await pass(20_000)
    service.failNext({ connection: 'lost-before' })
    create(client)
    await pass(5_000)
  },
}

const situations: Readonly<Record<string, Situation>> = {
  'nothing but successes': {
    run: async (client) => {
      for (let count = 0; count < 5; count += 1) {
        list(client)
        create(client)
        await pass(700)
      }
    },
  },
  'a 429 and its cool-down': coolDown,
  'a quota that is used up': {
    service: { plan: [{ limit: 6, per: 5_000 }] },
    run: async (client) => {
      for (let count = 0; count < 20; count += 1) create(client)
      await pass(20_000)
    },
  },
  'a call that would wait longer than it may': {
    client: { retry: { maxWait: 5_000 } },
    run: async (client, service) => {
      refuse(service)
      list(client)
      await pass(3_000)
    },
  },
  'calls that are canceled, at the gate and in flight': {
    run: async (client, service) => {
      const [inFlight, waiting] = [new AbortController(), new AbortController()]
      list(client, inFlight.signal)
      await pass(30)
      inFlight.abort()
      await pass(2_000)
      refuse(service)
      create(client)
      await pass(500)
      create(client, waiting.signal)
      await pass(5_000)
      waiting.abort()
      await pass(60_000)
    },
  },
  'responses that are lost': lostResponses,
  'failures of the service, and a body that cannot be read': {
    run: async (client, service) => {
      service.failNext({ status: 503 }, 2)
      list(client)
      await pass(10_000)
      service.failNext({ status: 503, headers: { 'Retry-After': '7' } })
      list(client)
      await pass(20_000)
      service.failNext({ body: 'malformed-json' })
      list(client)
      await pass(10_000)
      service.failNext({ body: 'wrong-shape' })
      list(client)
      service.failNext({ status: 400 })
      create(client)
      await pass(5_000)
    },
  },
  'requests that take too long': {
    client: { timeout: 2_000 },
    service: { latency: 5_000 },
    run: async (client) => {
      list(client)
      await pass(30_000)
    },
  },
  'a ban': {
    run: async (client, service) => {
      service.failNext({ status: 403, headers: { 'Retry-After': '20' } })
      list(client)
      await pass(1_000)
      create(client)
      await pass(40_000)
    },
  },
  'a key that is renewed': {
    service: { keys: ['new'] },
    client: { apiKey: keyAfter(['demo', 'new']) },
    run: async (client) => {
      list(client)
      await pass(5_000)
      create(client)
      await pass(5_000)
    },
  },
  'a cool-down of before the recording': {
    before: async (client, service) => {
      refuse(service)
      list(client)
      await pass(10_000)
    },
    run: async (client) => {
      create(client)
      await pass(50_000)
    },
  },
  'calls that are under way at the end': {
    run: async (client, service) => {
      list(client)
      await pass(500)
      refuse(service)
      create(client)
      await pass(5_000)
    },
  },
}

/** Returns these keys in turn, and then the last one. */
function keyAfter(keys: readonly string[]): () => Promise<string> {
  let reads = 0
  return async () => keys[Math.min(reads++, keys.length - 1)] ?? ''
}

describe('a recording of the developer tools', () => {
  test.each(Object.entries(situations))(
    'of %s replays with no difference, to its last request',
    async (_, situation) => {
      const text = await record(situation)
      expect(await replay(text)).toEqual([])
      const recording = JSON.parse(text)
      const calls: { startedAt: number; attempts: { sentAt?: number }[] }[] = recording.calls
      const attempts = calls.filter(({ startedAt }) => startedAt >= recording.from).flatMap((call) => call.attempts)
      const last = attempts.findLast(({ sentAt }) => sentAt !== undefined)
      if (last?.sentAt !== undefined) last.sentAt -= 1_600
      const [difference] = await replay(recording)
      expect(difference?.recorded).toMatch(/left at -?\d+\.\d s$/)
      expect(difference?.now).toMatch(/left at \d+\.\d s$/)
    },
  )
})

describe('a replay differs', () => {
  test('where calls may wait less', async () => {
    const differences = await replay(await record(coolDown), { client: { retry: { maxWait: 0 } } })
    expect(differences.map(({ operation }) => operation)).toEqual([
      'listCategories',
      ...Array.from({ length: 5 }, () => 'createCategory'),
    ])
    expect(differences[1]).toMatchObject({
      at: expect.closeTo(42_800, -3),
      recorded: expect.stringMatching(/^request 1 left at 4\d\.\d s$/),
      now: 'request 1 did not leave',
    })
  })

  test('where a failed call is not tried again', async () => {
    const recording = await record(lostResponses)
    const [difference] = await replay(recording, { client: { retry: { attempts: 1 } } })
    expect(difference).toMatchObject({
      operation: 'listCategories',
      recorded: expect.stringMatching(/^request 2 left at \d\.\d s$/),
      now: 'request 2 did not leave',
    })
  })

  test('where it sends what was not recorded', async () => {
    const recording = await record({ ...coolDown, client: { retry: { maxWait: 5_000 } } })
    const differences = await replay(recording, { client: { retry: { maxWait: 65_000 } } })
    expect(differences).toHaveLength(6)
    expect(differences[0]).toMatchObject({
      operation: 'listCategories',
      recorded: 'request 2 did not leave',
      now: expect.stringMatching(/^request 2 left at 4\d\.\d s$/),
    })
  })

  test('where a service in memory responds otherwise', async () => {
    const threeCalls: Situation = {
      run: async (client) => {
        for (let count = 0; count < 3; count += 1) {
          create(client)
          await pass(1_000)
        }
        await pass(60_000)
      },
    }
    const recording = await record(threeCalls)
    expect(await replay(recording, { service: { latency: 80 } })).toEqual([])
    const [difference] = await replay(recording, { service: { latency: 80, plan: [{ limit: 1, per: 60_000 }] } })
    expect(difference?.recorded).toBe('request 1 left at 1.0 s')
  })
})
