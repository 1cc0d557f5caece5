import type { Clock } from '../../src/base/Clock.ts'
import { defineOperation } from '../../src/client.ts'
import { createClientWith, type KeyedClient } from '../../src/client/createPetstoreClient.ts'
import { createFleetStore, createKnownProcesses } from '../../src/rate-limit/fleet/createFleetStore.ts'
import type { PendingRequest } from '../../src/rate-limit/pendingRequest.ts'
import type { QueueContext } from '../../src/rate-limit/rateLimiter.ts'
import type { RateLimitStore } from '../../src/rate-limit/RateLimitStore.ts'
import { createRequestQueue, type RequestQueue } from '../../src/rate-limit/requestQueue.ts'
import { type Presence, type PresentStore, presence } from '../../src/rate-limit/stores/presence.ts'
import { hash } from './hash.ts'
import type { Program, Shown } from './machine.ts'
import { createPlainController, createNumbers, nameTimer, type PlainRequest, PlainTarget, turn } from './platform.ts'
import { keyOf, recordOf, storeRecord } from './storedRecords.ts'
import type { SmallResponse } from './smallService.ts'

/** The calls of the tabs, in order. A call after the end of its page opens another one. */
export type PlannedCalls = readonly {
  readonly tab: number
  readonly method: 'GET' | 'POST'
  readonly isBackground?: boolean
}[]

/** What a page is and may do. */
export interface PageOptions {
  readonly calls: PlannedCalls
  /** Units in a minute. */
  readonly quota: number
  /** Whether pages hold a lock each, by which others see that they are gone. */
  readonly hasLocks: boolean
  /** Whether the tabs are processes that share a Redis, on machines whose clocks differ by an hour. */
  readonly isFleet: boolean
  readonly tab: number
  /** How many pages of the tab there were before. */
  readonly earlier: number
}

/** What happens to a page, and when. `stored` and `record` are keys of records. */
export type PageInput = { readonly time: number; readonly offset: number } & (
  | { readonly type: 'call' | 'abort' | 'lose'; readonly call: number }
  | { readonly type: 'write' | 'drop'; readonly stored: string }
  | { readonly type: 'store'; readonly usage: readonly (readonly [number, number])[] }
  | { readonly type: 'fail' | 'fail all' | 'wake' | 'pageshow' | 'pagehide' }
  | { readonly type: 'hear'; readonly record: string }
  | { readonly type: 'lock'; readonly held: readonly string[] }
  | { readonly type: 'respond'; readonly call: number; readonly response: SmallResponse }
)

/** What a page has done. */
export type Deed =
  | { readonly type: 'sent'; readonly call: number }
  | { readonly type: 'gave up'; readonly call: number }
  | { readonly type: 'ended'; readonly call: number; readonly outcome: string }
  | { readonly type: 'holds'; readonly id: string }
  | { readonly type: 'freed'; readonly id: string }
  | { readonly type: 'problem'; readonly text: string }

export interface PageLook extends Shown {
  readonly deeds: readonly Deed[]
  /** When its first timer is due; infinite without one. */
  readonly wakesAt: number
  /** Updates of the store that are under way, the oldest first. */
  readonly uses: readonly UseLook[]
  /** How many locks it waits for. */
  readonly locks: number
  readonly timers: number
  readonly listeners: number
  readonly isQueueEmpty: boolean
  /** The calls whose signals it listens to. */
  readonly heard: readonly number[]
}

interface UseLook {
  /** `undefined` until the change is made; then whether it has written something. */
  readonly hasWritten: boolean | undefined
  readonly since: number
  /** The key of what the store holds after the change. */
  readonly written: string
}

export const begin: number = Date.UTC(2026, 0, 1) + 20_000
export const minute = 60_000
export const hour = 3_600_000
/** ms for one request. */
export const requestTimeout = 10_000
/** How long the gate counts an aborted request as in flight, in ms. */
export const abortedHold = 1_000
/** How long the gate waits for an update of the store, in ms. */
export const updateTimeout = 2_000

/** What follows from one input reads the clock less often. */
const maxReads = 20_000

const anything = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const
const operations = {
  GET: defineOperation<unknown, unknown>({ name: 'read', path: '/rows', input: anything, output: anything }),
  POST: defineOperation<unknown, unknown>({
    name: 'create',
    path: '/rows',
    method: 'POST',
    input: anything,
    output: anything,
  }),
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly name: string
  readonly wake: () => void
}

/** An update of the store that is under way. */
interface StoreUse {
  readonly change: (stored: unknown) => unknown
  readonly resolve: () => void
  readonly reject: (error: Error) => void
  readonly since: number
  /** Whether an update that was late already held it up when it began: the gate does not wait for it. */
  readonly isBlocked: boolean
  made: { readonly hasWritten: boolean; readonly value: unknown; readonly key: string } | undefined
}

interface Exchange {
  readonly resolve: (response: SmallResponse) => void
  readonly reject: (error: Error) => void
}

export const pageId = (tab: number, earlier: number): string => `${'ABC'[tab]}${earlier > 0 ? earlier + 1 : ''}`

/** The client as apps run it, with its gate, on a page or in a process. */
export function createPage({
  calls: planned,
  quota,
  hasLocks,
  isFleet,
  tab,
  earlier,
}: PageOptions): Program<PageInput, PageLook> {
  const id = pageId(tab, earlier)
  const ahead = isFleet ? tab * hour : 0
  const self = new PlainTarget()
  const numbers = createNumbers(10 * tab + earlier)
  const timers = new Set<Timer>()
  const listeners = new Set<(stored: unknown) => void>()
  const uses: StoreUse[] = []
  /** Asked of the lock manager: what, and what to do with its response. */
  const locks: { readonly text: string; readonly act: (held: readonly string[]) => void }[] = []
  const exchanges = new Map<number, Exchange>()
  const calls = planned.map(() => ({
    controller: createPlainController(),
    outcome: 'planned',
    statuses: [''],
    startedAt: 0,
  }))
  let deeds: Deed[] = []
  let time = begin
  let offset = 0
  let order = 0
  let reads = 0
  let happened = ''
  /** All that has happened to a process: what it holds ahead of its requests does not show. */
  let history = ''
  let usedAt: readonly (readonly [number, number])[] = []
  let context: QueueContext | undefined
  let queue: RequestQueue<PendingRequest> | undefined
  let client: KeyedClient | undefined
  let storeStatus = ''
  /** Whether the update that ended last took longer than the gate waits. */
  let wasSlow = false
  let sentAt = -Infinity
  /** When it last looked for pages that are gone. */
  let lookedAt = -Infinity
  /** The key of the record as the page has last written it, or heard of it: what it knows beyond that is not stored. */
  let base = '-'
  /** What has happened since the store failed or was late, with what it has known then: it may merge any of that later. */
  let unsynced: string[] = []
  /** How many units were lost when its last decision was made, and when that was: a response is compared with it. */
  let decided = ''
  /** The numbers of the calls in the order in which they were made. */
  const started: number[] = []
  /** The ids of its requests that have waited. */
  const entered = new Set<string>()
  /** Until when the record that it knew has ever closed the gate, on the monotonic clock. */
  let closedUntil = 0
  /** What the clock read, and what the page knew, when it first noticed that somebody had set it. */
  let jumps = ''
  /** What has happened since a change was made that the page does not know of yet: it may need another one. */
  let sinceChange: string[] = []

  const act = (deed: Deed) => void deeds.push(deed)
  const now = () => time + offset + ahead

  const clock: Clock = {
    now: () => {
      reads += 1
      if (reads > maxReads) {
        act({ type: 'problem', text: 'it never settles: the gate decides again and again' })
        throw new Error('It never settles.')
      }
      return now()
    },
    monotonic: () => time - begin,
    wakeAfter: (ms, wake) => {
      order += 1
      const timer: Timer = { at: time + Math.max(0, ms), order, name: nameTimer(wake), wake }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  }

  const store: PresentStore = {
    inMemory: true,
    [presence]: hasLocks && !isFleet ? createPresence() : undefined,
    update: (_, change) =>
      new Promise((resolve, reject) => {
        uses.push({ change, resolve, reject, since: time, isBlocked: uses.some(isLate), made: undefined })
      }),
    subscribe: (_, listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }

  /** Whether the gate no longer waits for an update. */
  const isLate = ({ since, isBlocked }: StoreUse) => isBlocked || time >= since + updateTimeout

  /** By which lock it is known, and how often it has taken one or given one up. */
  let held: string | undefined
  let turns = 0

  function createPresence(): Presence {
    return {
      get id() {
        return held
      },
      enter: () => {
        if (turns % 2 === 1) return
        turns += 1
        const since = turns
        const next = `${id}.${since}`
        locks.push({
          text: next,
          act: () => {
            if (turns !== since) return
            held = next
            act({ type: 'holds', id: next })
          },
        })
      },
      leave: () => {
        if (turns % 2 === 0) return
        turns += 1
        if (held !== undefined) act({ type: 'freed', id: held })
        held = undefined
      },
      findGone: (ids) =>
        new Promise((resolve) => {
          lookedAt = time
          locks.push({ text: ids.join(), act: (all) => resolve(ids.filter((one) => !all.includes(one))) })
        }),
    }
  }

  /** The store as a process sees it that notes which of the others have used it. */
  function asFleet(): RateLimitStore {
    const processes = createKnownProcesses(() => time)
    return createFleetStore({
      ...store,
      now: () => time,
      processes: () => processes,
      update: async (name, change) => {
        const { since = 0, fail, learn } = processes
        try {
          await store.update(name, change)
        } catch (error) {
          fail()
          throw error
        }
        learn(usedAt.length, usedAt.filter(([, at]) => at >= since).length)
      },
    })
  }

  const createClient = () =>
    createClientWith(
      {
        clock,
        random: () => 0.5,
        createQueue: (created) => {
          context = created
          queue = createRequestQueue<PendingRequest>()
          return queue
        },
      },
      {
        baseUrl: 'https://service.test/v1',
        apiKey: 'demo',
        cacheScope: 'test',
        plan: { limit: quota, per: minute },
        rateLimitStore: isFleet ? asFleet() : store,
        retry: { attempts: 2, maxWait: 65_000 },
        timeout: requestTimeout,
        // The client reads no other fields of them.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        fetch: async (request) => (await send(request as unknown as PlainRequest)) as unknown as Response,
        onEvent: (event) => {
          if (event.type === 'rate-limit-store') storeStatus = event.status
        },
      },
    )

  function send({ body, url, signal }: PlainRequest): Promise<SmallResponse> {
    const call = Number(/\d+$/.exec(body?.replace('}', '') ?? url)?.[0])
    const statuses = calls[call]?.statuses
    if (!statuses) throw new Error(`No call sends ${url}.`)
    act({ type: 'sent', call })
    sentAt = time
    const { lostUnits = 0, inFlight = {} } = context?.record().latest ?? {}
    const batches = Object.keys(inFlight).filter((batch) => isFleet || entered.has(batch))
    statuses.push(`sent ${lostUnits} ${decided} ${batches.join(' ')}`)
    return new Promise((resolve, reject) => {
      exchanges.set(call, { resolve, reject })
      signal?.addEventListener('abort', () => {
        if (!exchanges.delete(call)) return
        statuses.push('given up')
        act({ type: 'gave up', call })
        reject(new DOMException('This operation was aborted', 'AbortError'))
      })
    })
  }

  function endExchange(call: number, status: string): Exchange {
    const exchange = exchanges.get(call)
    const statuses = calls[call]?.statuses
    if (!exchange || !statuses) throw new Error(`Call ${call} has no request.`)
    exchanges.delete(call)
    statuses.push(status)
    return exchange
  }

  function startCall(number: number): void {
    const call = calls[number]
    const plan = planned[number]
    if (!call || !plan) throw new Error(`There is no call ${number}.`)
    client ??= createClient()
    started.push(number)
    call.outcome = 'pending'
    call.startedAt = time
    const end = (outcome: string) => {
      if (call.outcome !== 'pending') return
      call.outcome = outcome
      act({ type: 'ended', call: number, outcome })
    }
    client
      .call(
        operations[plan.method],
        { row: number },
        {
          signal: call.controller.signal,
          priority: plan.isBackground ? 'background' : 'user',
        },
      )
      .then(
        (value) => {
          if (JSON.stringify(value) !== `{"row":${number}}`)
            act({ type: 'problem', text: `call ${number + 1} got another's row` })
          end('succeeded')
        },
        (error: unknown) => end(Object(error).kind ?? Object(error).name),
      )
  }

  const firstTimer = (): Timer | undefined => {
    let first: Timer | undefined
    for (const timer of timers)
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer
    return first
  }

  const firstUse = (isMade: boolean): StoreUse => {
    const use = uses.find(({ made }) => (made !== undefined) === isMade)
    if (!use) throw new Error('No update is under way.')
    return use
  }

  function remove(use: StoreUse): void {
    uses.splice(uses.indexOf(use), 1)
  }

  function handle(input: PageInput): void {
    switch (input.type) {
      case 'call':
        return startCall(input.call)
      case 'abort':
        return calls[input.call]?.controller.abort()
      case 'write': {
        const use = firstUse(false)
        const before = recordOf(input.stored)
        const value = use.change(before)
        use.made = { hasWritten: value !== before, value, key: value === before ? input.stored : storeRecord(value) }
        base = use.made.key
        const record = Object(value)
        decided = `${record.lostUnits} ${record.updatedAt}`
        sinceChange = []
        return
      }
      case 'store': {
        const use = firstUse(true)
        remove(use)
        wasSlow = isLate(use)
        usedAt = input.usage
        if (use.made?.hasWritten) for (const listener of [...listeners]) listener(use.made.value)
        return use.resolve()
      }
      case 'fail': {
        const use = firstUse(false)
        remove(use)
        return use.reject(new Error('The store fails.'))
      }
      case 'drop': {
        const use = firstUse(false)
        remove(use)
        use.change(recordOf(input.stored))
        return use.reject(new Error('The store drops a change.'))
      }
      case 'fail all':
        for (const use of uses.splice(0)) use.reject(new Error('Redis restarts.'))
        return
      case 'hear': {
        const record = recordOf(input.record)
        base += `<${input.record}`
        for (const listener of [...listeners]) listener(record)
        return
      }
      case 'lock':
        return locks.shift()?.act(input.held)
      case 'respond':
        return endExchange(input.call, String(input.response.status)).resolve(input.response)
      case 'lose':
        return endExchange(input.call, 'lost').reject(new TypeError('fetch failed'))
      case 'wake': {
        const timer = firstTimer()
        if (!timer) throw new Error('No timer is set.')
        timers.delete(timer)
        return timer.wake()
      }
      case 'pageshow':
        return self.emit(input.type)
      case 'pagehide': {
        // The page gives up what is in flight: how that ends later says nothing any more.
        for (const call of exchanges.keys()) calls[call]?.statuses.push('hidden')
        return self.emit(input.type)
      }
    }
  }

  function describe(): string {
    const latest = context?.record().latest
    if (latest && latest.cooldownUntil > now()) closedUntil = Math.max(closedUntil, time + latest.cooldownUntil - now())
    const latestKey = latest ? keyOf(latest) : '-'
    // All that it has changed is stored, or else in what it may merge.
    if (uses.length === 0) base = latestKey
    const isUnsynced = storeStatus === 'failed' || wasSlow || uses.some(isLate)
    if (!isUnsynced) unsynced = []
    else unsynced.push(`${happened} ${latestKey}`)
    const waiting = queue
      ? [
          ...queue.user.byOrder(),
          ...queue.background.byOrder(),
          ...[...queue.parked.values()].map(({ request }) => request),
        ]
      : []
    for (const one of waiting) entered.add(one.id)
    return [
      numbers.taken(),
      latestKey,
      base,
      unsynced.join(),
      waiting
        .map((one) => `${one.id} ${started[one.order]} ${one.deadline} ${one.told?.until} ${one.told?.reason}`)
        .join(),
      [...timers].map(({ at, name }) => `${at} ${name}`).join(),
      uses.map(({ made, since, isBlocked }) => `${made?.hasWritten} ${since} ${isBlocked} ${made?.key}`).join(),
      locks.map(({ text }) => text).join(),
      `${held} ${turns}`,
      calls
        .map(({ outcome, statuses, startedAt }, number) => {
          // How its response is recorded depends on these, until that is stored.
          const isOver = outcome !== 'pending' && !exchanges.has(number) && uses.length === 0
          if (isOver) statuses.length = 1
          return `${outcome === 'pending' ? startedAt : ''} ${statuses.join('+')}`
        })
        .join(),
      storeStatus === 'failed',
      wasSlow,
      decided,
      time - sentAt < 1_000 ? sentAt : 0,
      time - lookedAt < 200 ? lookedAt : 0,
      closedUntil > time ? closedUntil : 0,
      jumps,
      listeners.size,
      self.listenerCount,
      calls.map(({ controller }) => controller.signal.listenerCount).join(),
      sinceChange.toSorted().join(),
      history,
    ].join('\n')
  }

  return {
    take: (input) => {
      turn.self = self
      turn.random = numbers.next
      reads = 0
      time = input.time
      if (input.offset !== offset) {
        const latest = context?.record().latest
        jumps += `${input.offset} ${latest ? keyOf(latest) : '-'} ${time};`
        offset = input.offset
      }
      happened = input.type + ('call' in input ? input.call : '')
      if (isFleet) history = hash(`${history} ${JSON.stringify(input)}`).join('.')
      if (uses.some(({ made }) => made)) sinceChange.push(happened)
      else sinceChange = []
      handle(input)
    },
    look: () => {
      reads = 0
      const done = deeds
      deeds = []
      return {
        text: describe(),
        deeds: done,
        wakesAt: firstTimer()?.at ?? Infinity,
        uses: uses.map(({ made, since }) => ({ hasWritten: made?.hasWritten, since, written: made?.key ?? '-' })),
        locks: locks.length,
        timers: timers.size,
        listeners: listeners.size,
        isQueueEmpty: queue?.isEmpty ?? true,
        heard: calls.flatMap(({ controller }, number) => (controller.signal.listenerCount > 0 ? [number] : [])),
      }
    },
  }
}
