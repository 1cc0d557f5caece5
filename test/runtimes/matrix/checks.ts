import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PetstoreService } from '../../../src/testing.ts'
import { handlerScript } from '../../server/handlerScript.ts'
import { largestId, longId, type Services } from './services.ts'

/** A runtime that serves the program. */
export interface Subject {
  readonly services: Services
  readonly origin: string
  /** Runs a step of `program/steps.ts` there, and returns its result. */
  readonly run: (step: string, query?: Readonly<Record<string, string>>) => Promise<unknown>
}

export interface Check {
  /** The head of its column. */
  readonly title: string
  /** Whether requests wait for each other, which not every worker may. */
  readonly needsSharing?: boolean
  /** Rejects if the runtime does not do what it should. */
  readonly verify: (subject: Subject) => Promise<void>
}

const statusesOf = (service: PetstoreService) => service.requests.map(({ status }) => status)

/** Nothing was sent between a refusal and the end of the wait that it announced. */
function assertWaited({ requests }: PetstoreService, wait: number): void {
  const refusal = requests.find(({ status }) => status === 429)
  assert(refusal?.respondedAt !== undefined, 'The service refused nothing.')
  const end = refusal.respondedAt + wait
  const early = requests.filter(({ at }) => at > refusal.at && at < end)
  assert.deepEqual(early, [], 'Sent in a cool-down.')
}

const dog = { id: '1', name: 'Dog' }

export const checks: readonly Check[] = [
  {
    title: 'exact ids',
    async verify({ run }) {
      const long = { id: longId, name: 'Dög' }
      const created = { id: largestId, name: 'Cät' }
      assert.deepEqual(await run('ids'), {
        listed: [long],
        created,
        refused: 'authentication',
        listedAgain: [long, created],
      })
    },
  },
  {
    title: '429',
    async verify({ run, services: { refused } }) {
      refused.failNext({ status: 429, headers: { 'Retry-After': '2' } })
      assert.deepEqual(await run('refused'), {
        status: 'cooling-down',
        aborted: 'AbortError',
        created: { id: '2', name: 'Cat' },
      })
      assert.deepEqual(new Set(statusesOf(refused)), new Set([200, 201, 429]))
      assert.equal(refused.requests.length, 3)
      assertWaited(refused, 2_000)
    },
  },
  {
    title: 'long 429',
    async verify({ run, services: { refusedForAnHour } }) {
      refusedForAnHour.failNext({ status: 429, headers: { 'Retry-After': '3600' } })
      const expected = { failures: ['rate-limit', 'rate-limit'], status: 'cooling-down', minutes: 60 }
      assert.deepEqual(await run('refusedForAnHour'), expected)
      assert.deepEqual(statusesOf(refusedForAnHour), [429])
    },
  },
  {
    title: 'abort',
    async verify({ run }) {
      assert.deepEqual(await run('aborted'), { aborted: 'AbortError', next: [dog] })
      assert.equal(await run('timedOut'), 'timeout')
    },
  },
  {
    title: 'at once',
    needsSharing: true,
    async verify({ run, services: { busy } }) {
      busy.failNext({ status: 429, headers: { 'Retry-After': '1' } })
      const names = ['one', 'two', 'three']
      const results = await Promise.all(
        names.flatMap((name) => [run('list'), run('create', { name }).then((value) => nameOf(value))]),
      )
      assert.deepEqual(
        results.filter((_, index) => index % 2 === 1),
        names,
      )
      assert.equal(statusesOf(busy).filter((status) => status === 429).length, 1)
      assert(busy.requests.filter(({ method }) => method === 'GET').length < 1 + names.length, 'No GET was shared.')
      assertWaited(busy, 1_000)
    },
  },
  {
    title: 'one by one',
    async verify({ run, services: { busy } }) {
      busy.reset()
      for (const name of ['one', 'two', 'three']) {
        assert.equal(nameOf(await run('create', { name })), name)
        await run('list')
      }
      assert.deepEqual(statusesOf(busy), [201, 200, 201, 200, 201, 200])
    },
  },
  {
    title: 'handler',
    async verify({ origin }) {
      const responses = await handlerScript.steps((path, init) => fetch(new URL(path, origin), init))
      assert.deepEqual(responses, handlerScript.expected)
    },
  },
  {
    title: 'reload',
    async verify({ origin, services: { reloaded } }) {
      const timingOfNext = async () => {
        const headers = { Cookie: 'session=ann' }
        const response = await fetch(`${origin}/reloaded/v1/categories`, { headers })
        await response.text()
        return response.headers.get('Server-Timing')
      }
      assert.match((await timingOfNext()) ?? '', /^queue/)
      // Whoever asks while a reload is under way gets the kept response too, without another reload.
      const isReloaded = async (times: number) => {
        assert.equal(await timingOfNext(), 'cache')
        return reloaded.requests.length >= times
      }
      for (let times = 2; times < 5; times += 1) {
        await until(() => isReloaded(times), 'Nothing was reloaded in the background.')
      }
      await until(() => statusesOf(reloaded).every((status) => status === 200), 'A reload failed.')
    },
  },
  {
    title: 'visitor',
    async verify({ run, origin, services: { visited } }) {
      visited.failNext({ operation: 'createCategory', status: 429, headers: { 'Retry-After': '1' } })
      const created = { id: largestId, name: 'Cät' }
      const result = await run('visitor', { origin })
      const listed = [{ id: longId, name: 'Dög' }, created]
      assert.deepEqual(result, { created, listed, status: 'queued', stranger: 'authentication' })
      assertWaited(visited, 1_000)
    },
  },
  {
    title: 'in memory',
    async verify({ run }) {
      assert.deepEqual(await run('inMemory'), { listed: [{ id: longId, name: 'Dög' }], requests: 1 })
    },
  },
]

const nameOf = (value: unknown): unknown => (typeof value === 'object' && value && 'name' in value ? value.name : value)

async function until(isTrue: () => boolean | Promise<boolean>, message: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(20)) if (await isTrue()) return
  assert.fail(message)
}
