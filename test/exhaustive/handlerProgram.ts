import type { Clock } from '../../src/base/Clock.ts'
import { createHandlerWith } from '../../src/server/createPetstoreHandler.ts'
import type { Program, Shown } from './machine.ts'
import { begin, minute, requestTimeout, updateTimeout } from './page.ts'
import { createPlainController, createNumbers, nameTimer, PlainRequest, type PlainResponse, turn } from './platform.ts'
import { keyOf } from './storedRecords.ts'
import type { SmallResponse } from './smallService.ts'

/** What happens to a handler, and when. */
export type HandlerInput = { readonly time: number } & (
  | { readonly type: 'visit' | 'leave'; readonly visit: number }
  | { readonly type: 'write' | 'store' | 'fail' | 'wake' }
  | { readonly type: 'respond'; readonly request: number; readonly response: SmallResponse }
  | { readonly type: 'lose'; readonly request: number }
)

/** What a handler has done. */
export type HandlerDeed =
  | { readonly type: 'sent'; readonly request: number }
  | { readonly type: 'gave up'; readonly request: number }
  | { readonly type: 'responded'; readonly visit: number; readonly status: number; readonly text: string | undefined }

export interface HandlerLook extends Shown {
  readonly deeds: readonly HandlerDeed[]
  /** When its first timer is due; infinite without one. */
  readonly wakesAt: number
  /** Updates of the store that are under way, the oldest first. */
  readonly uses: readonly { readonly isWritten: boolean; readonly since: number }[]
  readonly listeners: number
  /** How many calls wait at the gate. */
  readonly waiting: number
  /** The visits whose signals it listens to. */
  readonly heard: readonly number[]
}

interface StoreUse {
  readonly change: (stored: unknown) => unknown
  readonly resolve: () => void
  readonly reject: (error: Error) => void
  readonly since: number
  /** Whether an update that was late already held it up when it began: the gate does not wait for it. */
  readonly isBlocked: boolean
  isWritten: boolean
}

interface Upstream {
  readonly resolve: (response: SmallResponse) => void
  readonly reject: (error: Error) => void
  /** What the record held when it left. */
  readonly knew: string
  isOver: boolean
  endedAt: number
  /** The key of its response. */
  response: string
}

/** A handler that keeps responses, and the store that it uses alone. */
export function createHandlerProgram(
  users: readonly string[],
  quota: number,
  maxQueued: number,
): Program<HandlerInput, HandlerLook> {
  const visits = users.map((user) => ({ user, controller: createPlainController(), outcome: 'planned', times: '' }))
  const timers = new Set<{ readonly at: number; readonly name: string; readonly wake: () => void }>()
  const upstream: Upstream[] = []
  const uses: StoreUse[] = []
  const listeners = new Set<unknown>()
  /** Whose turn it is, and who may take how much, depends on who came first and on what became of it. */
  const order: string[] = []
  const numbers = createNumbers(0)
  let deeds: HandlerDeed[] = []
  let time = begin
  let stored: unknown
  let happened = ''
  /** Whether the update that ended last took longer than the gate waits. */
  let wasSlow = false
  let hasFailed = false
  /** How many units were lost when its last decision was made, and when that was: a response is compared with it. */
  let decided = ''
  let sentAt = -Infinity
  /** What has happened since a change was made that the gate does not know of yet: it may need another one. */
  let sinceChange: string[] = []
  /** What has happened since the store failed or was late, with what was known then: any of that may be merged later. */
  let unsynced: string[] = []

  const clock: Clock = {
    now: () => time,
    monotonic: () => time - begin,
    wakeAfter: (ms, wake) => {
      const timer = { at: time + Math.max(0, ms), name: nameTimer(wake), wake }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  }

  /** Whether the gate no longer waits for an update. */
  const isLate = ({ since, isBlocked }: StoreUse) => isBlocked || time >= since + updateTimeout

  function send({ signal }: PlainRequest): Promise<SmallResponse> {
    const number = upstream.length
    const { lostUnits = 0, inFlight = {} } = handler?.client.rateLimit.inspect().record ?? {}
    sentAt = time
    deeds.push({ type: 'sent', request: number })
    return new Promise((resolve, reject) => {
      const request: Upstream = {
        resolve,
        reject,
        knew: `${lostUnits} ${decided} ${Object.keys(inFlight).join()}`,
        isOver: false,
        endedAt: 0,
        response: '',
      }
      upstream.push(request)
      signal?.addEventListener('abort', () => {
        if (request.isOver) return
        request.isOver = true
        deeds.push({ type: 'gave up', request: number })
        reject(new DOMException('This operation was aborted', 'AbortError'))
      })
    })
  }

  const createHandler = () =>
    createHandlerWith(
      { clock, random: () => 0.5 },
      {
        baseUrl: 'https://service.test/v1',
        apiKey: 'demo',
        plan: { limit: quota, per: minute },
        authorize: ({ headers }) => headers.get('cookie') ?? 401,
        allowUnmarkedRequests: true,
        maxQueued,
        cache: { listCategories: { maxAge: 1_000, staleWhileRevalidate: 2_000 } },
        timeout: requestTimeout,
        rateLimitStore: {
          inMemory: true,
          update: (_, change) =>
            new Promise((resolve, reject) => {
              uses.push({ change, resolve, reject, since: time, isBlocked: uses.some(isLate), isWritten: false })
            }),
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
  let handler: ReturnType<typeof createHandler> | undefined

  function visit(number: number): void {
    const one = visits[number]
    if (!one) throw new Error(`There is no visit ${number}.`)
    one.outcome = 'pending'
    one.times = String(time)
    const { signal } = one.controller
    const headers = { cookie: one.user, host: 'app.test' }
    const request = new PlainRequest('https://app.test/api/petstore/v1/categories', { headers, signal })
    handler ??= createHandler()
    // The handler reads no other fields of a request, and makes its response of the plain parts.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const response = handler(request as unknown as Request) as unknown as Promise<PlainResponse>
    void response.then(({ status, body }) => {
      if (one.outcome !== 'pending') return
      one.outcome = String(status)
      one.times += ` ${time}`
      const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : undefined
      deeds.push({ type: 'responded', visit: number, status, text })
    })
  }

  const firstTimer = () => [...timers].sort((one, other) => one.at - other.at)[0]

  function endRequest(number: number, response = ''): Upstream {
    const request = upstream[number]
    if (!request) throw new Error(`There is no request ${number}.`)
    request.isOver = true
    request.endedAt = time
    request.response = response
    return request
  }

  function handle(input: HandlerInput): void {
    switch (input.type) {
      case 'visit':
        return visit(input.visit)
      case 'leave': {
        const one = visits[input.visit]
        if (one) one.outcome = 'left'
        return one?.controller.abort()
      }
      case 'write': {
        const use = uses.find(({ isWritten }) => !isWritten)
        if (!use) throw new Error('No update is under way.')
        stored = use.change(stored)
        const { lostUnits, updatedAt } = Object(stored)
        decided = `${lostUnits} ${updatedAt}`
        use.isWritten = true
        sinceChange = []
        return
      }
      case 'store': {
        const use = uses.shift()
        if (!use) throw new Error('No update is under way.')
        wasSlow = isLate(use)
        hasFailed = false
        return use.resolve()
      }
      case 'fail': {
        hasFailed = true
        const [use] = uses.splice(
          uses.findIndex(({ isWritten }) => !isWritten),
          1,
        )
        return use?.reject(new Error('The store fails.'))
      }
      case 'respond':
        return endRequest(input.request, input.response.key).resolve(input.response)
      case 'lose':
        return endRequest(input.request).reject(new TypeError('fetch failed'))
      case 'wake': {
        const timer = firstTimer()
        if (!timer) throw new Error('No timer is set.')
        timers.delete(timer)
        return timer.wake()
      }
    }
  }

  return {
    take: (input) => {
      turn.self = undefined
      turn.random = numbers.next
      time = input.time
      happened = [input.type, ...('visit' in input ? [input.visit] : 'request' in input ? [input.request] : [])].join()
      if (happened.includes(',')) order.push(happened)
      if (uses.some(({ isWritten }) => isWritten)) sinceChange.push(happened)
      else sinceChange = []
      handle(input)
    },
    look: () => {
      const done = deeds
      deeds = []
      const { waiting = [], record } = handler?.client.rateLimit.inspect() ?? {}
      const heard = visits.flatMap(({ controller }, number) => (controller.signal.listenerCount > 0 ? [number] : []))
      const isUnsynced = hasFailed || wasSlow || uses.some(isLate)
      if (isUnsynced) unsynced.push(`${happened} ${keyOf(record)}`)
      else unsynced = []
      return {
        text: JSON.stringify([
          numbers.taken(),
          stored,
          record,
          waiting.map(({ queuedAt, deadline, reason, retryAt }) => [queuedAt, deadline, reason, retryAt]),
          visits.map(({ outcome, times }) => [outcome, times]),
          upstream.map(({ isOver, endedAt, response, knew }) => [isOver, endedAt, response, knew]),
          uses,
          [...timers].map(({ at, name }) => [at, name]),
          order,
          listeners.size,
          heard,
          wasSlow,
          hasFailed,
          decided,
          time - sentAt < 1_000 ? sentAt : 0,
          sinceChange.toSorted(),
          unsynced,
        ]),
        deeds: done,
        wakesAt: firstTimer()?.at ?? Infinity,
        uses: uses.map(({ isWritten, since }) => ({ isWritten, since })),
        listeners: listeners.size,
        waiting: waiting.length,
        heard,
      }
    },
  }
}
