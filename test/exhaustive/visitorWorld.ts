import type { Clock } from '../../src/base/Clock.ts'
import { createHandlerWith } from '../../src/server/createPetstoreHandler.ts'
import {
  createPlainController,
  createRandom,
  type PlainController,
  PlainRequest,
  type PlainResponse,
  turn,
} from './platform.ts'
import type { World } from './search.ts'
import { createSmallService, gatewayResponse, type SmallResponse } from './smallService.ts'

export type VisitorFault = 'leave' | 'late' | 'gateway 503' | 'service 429' | 'request lost' | 'store fails'

export const visitorFaults: readonly VisitorFault[] = [
  'leave',
  'late',
  'gateway 503',
  'service 429',
  'request lost',
  'store fails',
]

/** The bounds of a search: everything within them is tried. */
export interface VisitorBounds {
  /** Who visits, in the order in which each of them does. */
  readonly visits: readonly string[]
  /** Units in a minute. */
  readonly quota: number
  /** How many calls may wait. */
  readonly maxQueued: number
  /** How many things go wrong on one path, at most. */
  readonly faults: number
  readonly kinds: readonly VisitorFault[]
}

const begin = Date.UTC(2026, 0, 1) + 20_000
const minute = 60_000

interface Visit {
  readonly number: number
  readonly user: string
  readonly controller: PlainController
  outcome: string
  /** When it began and ended, in epoch ms. */
  times: string
}

/** A request of the handler to the service. */
interface Upstream {
  readonly number: number
  readonly resolve: (response: SmallResponse) => void
  readonly reject: (error: Error) => void
  response: SmallResponse | undefined
  isLate: boolean
  isOver: boolean
  /** Epoch ms. */
  endedAt: number
}

interface StoreUse {
  readonly change: (stored: unknown) => unknown
  readonly resolve: () => void
  readonly reject: (error: Error) => void
  isWritten: boolean
  isLate: boolean
}

/** A handler, two visitors who ask for the same list, and the service, which has another one for each response. */
export function createVisitorWorld({
  visits: users,
  quota,
  maxQueued,
  faults: maxFaults,
  kinds,
}: VisitorBounds): World {
  const story: string[] = []
  const visits = users.map(
    (user, number): Visit => ({ number, user, controller: createPlainController(), outcome: 'planned', times: '' }),
  )
  const timers = new Set<{ readonly at: number; readonly wake: () => void }>()
  const upstream: Upstream[] = []
  const uses: StoreUse[] = []
  const listeners = new Set<unknown>()
  /** Who has seen each list. */
  const seenBy = new Map<string, string>()
  const started: number[] = []
  const service = createSmallService(quota)
  const random = createRandom(0)
  let time = begin
  let faults = maxFaults
  let problem: string | undefined
  let stored: unknown
  let knownUntil = 0

  const note = (sentence: string) => story.push(`${(time - begin) / 1_000} s: ${sentence}`)
  const fail = (text: string) => (problem ??= text)
  const may = (fault: VisitorFault) => faults > 0 && kinds.includes(fault)
  const clock: Clock = {
    now: () => time,
    monotonic: () => time - begin,
    wakeAfter: (ms, wake) => {
      const timer = { at: time + Math.max(0, ms), wake }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  }
  const handler = createHandlerWith(
    { clock, random: () => 0.5 },
    {
      baseUrl: 'https://service.test/v1',
      apiKey: 'demo',
      plan: { limit: quota, per: minute },
      authorize: ({ headers }) => headers.get('cookie') ?? 401,
      allowUnmarkedRequests: true,
      maxQueued,
      cache: { listCategories: { maxAge: 1_000, staleWhileRevalidate: 2_000 } },
      timeout: 10_000,
      rateLimitStore: {
        inMemory: true,
        update: (_, change) =>
          new Promise(
            (resolve, reject) => void uses.push({ change, resolve, reject, isWritten: false, isLate: false }),
          ),
        subscribe: (_, listener) => {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      },
      // The client reads no other fields of them.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      fetch: async (request) => (await send(request as unknown as PlainRequest)) as unknown as Response,
    },
  )

  function send({ signal }: PlainRequest): Promise<SmallResponse> {
    note('The handler sends a request.')
    if (time < knownUntil) fail(`sent ${knownUntil - time} ms before the end of a known cool-down`)
    return new Promise((resolve, reject) => {
      const request: Upstream = {
        number: upstream.length,
        resolve,
        reject,
        response: undefined,
        isLate: false,
        isOver: false,
        endedAt: 0,
      }
      upstream.push(request)
      signal?.addEventListener('abort', () => {
        request.isOver = true
        reject(new DOMException('This operation was aborted', 'AbortError'))
      })
    })
  }

  function visit(one: Visit): void {
    note(`${one.user} asks for the list.`)
    one.outcome = 'pending'
    // Whose turn it is depends on who came first.
    started.push(one.number)
    one.times = String(time)
    const { signal } = one.controller
    const headers = { cookie: one.user, host: 'app.test' }
    const request = new PlainRequest('https://app.test/api/petstore/v1/categories', { headers, signal })
    // The handler reads no other fields of a request, and makes its response of the plain parts.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const response = handler(request as unknown as Request) as unknown as Promise<PlainResponse>
    void response.then(({ status, body }) => {
      if (one.outcome !== 'pending') return
      one.outcome = String(status)
      one.times += ` ${time}`
      if (status !== 200 && status !== 429 && status !== 502 && status !== 503 && status !== 504)
        fail(`the handler responds with ${status}`)
      note(`${one.user} gets a ${status}.`)
      if (status !== 200 || !(body instanceof Uint8Array)) return
      const text = new TextDecoder().decode(body)
      const owner = seenBy.get(text) ?? one.user
      seenBy.set(text, owner)
      if (owner !== one.user) fail(`${one.user} got a list that ${owner} had got`)
    })
  }

  function collect(): Map<string, () => void> {
    const events = new Map<string, () => void>()
    if (problem !== undefined) return events
    const fault = (name: string, act: () => void) =>
      events.set(name, () => {
        faults -= 1
        act()
      })
    addStore(events, fault)
    addService(events, fault)
    const asked = new Set<string>()
    for (const one of visits) {
      if (one.outcome === 'planned' && !asked.has(one.user)) events.set(`visit ${one.number}`, () => visit(one))
      if (one.outcome === 'planned') asked.add(one.user)
      if (one.outcome === 'pending' && may('leave')) {
        fault(`leave ${one.number}`, () => {
          note(`${one.user} leaves.`)
          one.outcome = 'left'
          one.controller.abort()
        })
      }
    }
    addTime(events)
    return events
  }

  type Events = Map<string, () => void>

  function addStore(events: Events, fault: (name: string, act: () => void) => void): void {
    const use = uses.find(({ isWritten }) => !isWritten)
    if (use) {
      events.set('writes', () => {
        note('The record is updated.')
        stored = use.change(stored)
        use.isWritten = true
      })
      if (may('store fails')) {
        fault('cannot store', () => {
          note('The store fails.')
          uses.splice(uses.indexOf(use), 1)
          use.reject(new Error('The store fails.'))
        })
      }
    }
    const [done] = uses
    if (done?.isWritten) {
      events.set('has stored', () => {
        uses.shift()
        done.resolve()
      })
    }
  }

  function addService(events: Events, fault: (name: string, act: () => void) => void): void {
    for (const request of upstream) {
      const { number, response, isOver } = request
      if (isOver) continue
      if (response) {
        events.set(`request ${number} ends`, () => {
          note(`The handler gets a ${response.status}.`)
          request.isOver = true
          request.endedAt = time
          if (response.status === 429) knownUntil = Math.max(knownUntil, time + response.wait)
          request.resolve(response)
        })
        continue
      }
      const arrive = () => {
        request.response = service.arrive(
          time,
          `[{"id":${number + 1},"name":"list ${number}","createdAt":"2026-01-01T00:00:00Z"}]`,
        )
      }
      events.set(`request ${number} arrives`, arrive)
      if (may('service 429')) {
        fault(`request ${number} is refused`, () => {
          note('The service refuses requests for a while.')
          service.close(time)
          arrive()
        })
      }
      if (may('gateway 503')) fault(`request ${number} meets a gateway`, () => (request.response = gatewayResponse))
      if (may('request lost')) {
        fault(`request ${number} is lost`, () => {
          note('The handler loses its connection.')
          request.isOver = true
          request.reject(new TypeError('fetch failed'))
        })
      }
    }
  }

  const pending = () => [...uses, ...upstream.filter(({ isOver }) => !isOver)]

  function addTime(events: Events): void {
    const [timer] = [...timers].sort((one, other) => one.at - other.at)
    if (!timer) return
    const at = Math.max(time, timer.at)
    const cost = at > time ? pending().filter(({ isLate }) => !isLate).length : 0
    if (cost > 0 && (cost > faults || !kinds.includes('late'))) return
    events.set('wakes', () => {
      faults -= cost
      if (at > time) for (const one of pending()) one.isLate = true
      time = at
      timers.delete(timer)
      timer.wake()
    })
  }

  return {
    story,
    events: () => [...collect().keys()],
    happen: (event) => {
      turn.self = undefined
      turn.random = random
      collect().get(event)?.()
    },
    problem: () => problem,
    state: () => {
      const { waiting, record } = handler.client.rateLimit.inspect()
      return JSON.stringify([
        time,
        faults,
        service.state(),
        stored,
        record,
        waiting.map(({ queuedAt, deadline, reason, retryAt }) => [queuedAt, deadline, reason, retryAt]),
        visits.map(({ outcome, times }) => [outcome, times]),
        upstream.map(({ isLate, isOver, response, endedAt }) => [isLate, isOver, response?.key, endedAt]),
        uses.map(({ isWritten, isLate }) => [isWritten, isLate]),
        [...timers].map(({ at }) => at),
        [...seenBy],
        started,
        knownUntil,
        listeners.size,
      ])
    },
    isOver: () =>
      visits.every(({ outcome }) => outcome !== 'planned' && outcome !== 'pending') &&
      pending().length + timers.size === 0,
    endProblem: () => {
      if (handler.client.rateLimit.inspect().waiting.length > 0) return 'a call still waits'
      if (listeners.size > 0) return 'the handler still listens to the store'
      const heard = visits.find(({ controller }) => controller.signal.listenerCount > 0)
      return heard && `the visit of ${heard.user} is still listened to`
    },
  }
}
