import type { Cache, ScopedMutator } from 'swr'
import type { OnResult } from '../client/createPetstoreClient.ts'
import type { readText } from '../client/steps/parseResponse.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { QueryActivity } from './queryActivity.ts'

/** A query that is shown or loading. */
export interface SharedQuery {
  readonly operation: Operation
  readonly input: unknown
  readonly serializedKey: string
  readonly activity: QueryActivity
  readonly mutate: ScopedMutator
}

export interface ReceivedValue {
  readonly value: unknown
  /** When its request left, in epoch ms. */
  readonly sentAt: number
}

/** A load that takes the response of another tab until its own request leaves. */
export interface SharedLoad extends SharedQuery {
  /** It takes what was asked for since then, in epoch ms. */
  readonly since: number
  /** Whether it holds its request back until it knows that no other tab asks. */
  isAsking: boolean
  /** Whether its request waits at the gate. */
  isWaiting: boolean
  /** When its request left, in epoch ms. */
  leftAt: number | undefined
  /** Ends the load with the response of another tab. */
  readonly settle: (received: ReceivedValue) => void
  /** Lets its request go. */
  readonly proceed: () => void
}

/** The parts of the page that the listening to other tabs needs. */
export interface TabsOptions {
  readonly listCategories: Operation
  readonly createCategory: Operation
  /** Equal in tabs that share; names neither the key nor the scope. */
  readonly channelName: string
  readonly cacheScope: string
  /** When this page has last left it, in epoch ms; else 0. */
  readonly leftAt: number
  readonly caches: ReadonlyMap<Cache, ScopedMutator>
  readonly activityOf: (cache: Cache) => QueryActivity
  readonly serialize: (key: readonly unknown[]) => string
  readonly readText: (operation: Operation, text: string) => ReturnType<typeof readText>
  readonly addCreated: (cache: Cache, mutate: ScopedMutator, created: unknown) => void
  /** Called when it is known whether other tabs are there. */
  readonly onHear: (hears: boolean) => void
}

/** A message between the tabs of one address, key and scope. Times are in epoch ms. */
type Message =
  /** A tab looks for a response that was asked for since then, before it sends a request. */
  | { readonly type: 'asking'; readonly query: string; readonly since: number; readonly claim: number }
  /** A tab has asked, or is about to. The lowest claim goes first. */
  | { readonly type: 'loading'; readonly query: string; readonly claim: number }
  /** A response to a request that left at that time, as the service sent it. */
  | { readonly type: 'response'; readonly query: string; readonly sentAt: number; readonly text: string }
  /** The response to a category that was created. */
  | { readonly type: 'created'; readonly at: number; readonly text: string }
  /** All queries that begin with this have changed. */
  | { readonly type: 'invalidate'; readonly at: number; readonly query: string }
  /** A provider has left the scope, perhaps because its user has signed out. */
  | { readonly type: 'leave'; readonly at: number }

/** A response for tabs that open later. */
interface KeptResponse extends ReceivedValue {
  readonly schema: unknown
  readonly text: string
  /** Whether this tab has asked for it. */
  readonly isOwn: boolean
}

/** The other tabs. */
export interface Tabs {
  readonly onResult: OnResult
  readonly show: (query: SharedQuery) => void
  readonly hide: (query: SharedQuery) => void
  readonly ask: (load: SharedLoad) => void
  readonly end: (load: SharedLoad) => void
  readonly invalidate: (operation: Operation, input: unknown, at: number) => void
  readonly leave: (at: number) => void
}

/** In characters. Of a longer text, a tab passes on only what it has loaded itself. */
const maxRelayed = 100_000
/** In characters. A longer text is not shared, and what a tab keeps for tabs that open later is no longer in all. */
const maxShared = 5_000_000
/** How many responses it keeps. */
const maxKept = 50
/** How long a tab waits for the others before it asks the service, in ms. */
const roundTime = 50
/** How often it does so while another one asks: 5 s. */
const maxRounds = 100

/** Imports nothing of the page's own code, which a bundler would then move out of the page's first chunk. */
export function openTabs({
  channelName,
  cacheScope,
  caches,
  leftAt,
  activityOf,
  serialize,
  readText,
  listCategories,
  createCategory,
  addCreated,
  onHear,
}: TabsOptions): Tabs {
  const channel = new BroadcastChannel(channelName)
  const shown = new Set<SharedQuery>()
  const loads = new Set<SharedLoad>()
  /** How many claims each load has to wait for, since it last asked. */
  const rivals = new WeakMap<SharedLoad, number>()
  const kept = createKeptResponses(leftAt)
  const { outdate } = kept
  let isOpen = true
  /** Greater than 0, which is the claim of what has left. */
  const claim = 1 - Math.random()

  const post = (message: Message) => {
    if (isOpen) channel.postMessage(message)
  }
  const matching = <Query extends SharedQuery>(all: ReadonlySet<Query>, query: string) =>
    [...all].filter(({ operation, input }) => queryOf(operation, input) === query)
  /** The part of a serialized key that is the same in all tabs: without the scope, which may be unique to the page. */
  const queryOf = ({ name }: Operation, input: unknown) => serialize([name, input ?? null])
  const keyOf = (query: string) => serialize(['petstore', cacheScope]) + query.slice(1)

  /** The value that the operation makes of a text, as of a response of the service; `undefined` where it refuses the text. */
  async function checkedValue(operation: Operation, text: string): Promise<unknown> {
    const result = await readText(operation, text)
    return result && !result.issues ? result.value : undefined
  }

  /** Takes a response of another tab. */
  async function receive(query: string, statedTime: number, text: string): Promise<void> {
    // A message with a time of tomorrow must not be newer than all later ones.
    const sentAt = Math.min(statedTime, Date.now())
    const [target] = [...matching(loads, query), ...matching(shown, query)]
    const isNew = () => isOpen && kept.isNew(query, sentAt)
    if (!target || !isNew()) return
    const last = kept.get(query)
    const { output: schema } = target.operation
    const value =
      last?.text === text && last.schema === schema ? last.value : await checkedValue(target.operation, text)
    if (value === undefined || !isNew()) return
    kept.keep(query, { sentAt, text, value, schema, isOwn: false })
    const open = matching(loads, query)
    // What has left brings a later response.
    for (const load of open) if (load.leftAt === undefined && sentAt >= load.since) load.settle({ value, sentAt })
    for (const { activity, serializedKey, mutate } of matching(shown, query)) {
      if (open.some((load) => load.activity === activity)) continue
      if (sentAt <= (activity.startedAt(serializedKey) ?? 0)) continue
      activity.receive(serializedKey, sentAt, true)
      void mutate(serializedKey, value, { revalidate: false })
    }
  }

  /** Responds to a tab that looks for a response. */
  function respond(query: string, since: number, otherClaim: number): void {
    for (const { activity, serializedKey } of matching(shown, query)) activity.noteAsking(serializedKey)
    const response = kept.get(query)
    if (response && response.sentAt >= since && (response.isOwn || response.text.length <= maxRelayed)) {
      post({ type: 'response', query, sentAt: response.sentAt, text: response.text })
      return
    }
    for (const load of matching(loads, query)) {
      const ownClaim = load.isAsking ? claim : 0
      // What waits at the gate may wait long, and the other tab has to show that it waits too.
      if (load.isWaiting || ownClaim >= otherClaim || (load.leftAt !== undefined && load.leftAt < since)) continue
      post({ type: 'loading', query, claim: ownClaim })
    }
  }

  /** Lets a load go as soon as no other tab claims to go first. */
  function ask(load: SharedLoad, rounds = maxRounds): void {
    loads.add(load)
    const { operation, input, since } = load
    rivals.set(load, 0)
    post({ type: 'asking', query: queryOf(operation, input), since: Math.max(since, kept.outdatedUntil()), claim })
    if (!load.isAsking) return
    setTimeout(() => {
      if (!load.isAsking || !loads.has(load)) return
      if (rivals.get(load) && rounds > 0) return ask(load, rounds - 1)
      if (rounds === maxRounds) onHear(false)
      load.proceed()
    }, roundTime)
  }

  async function takeCreated(text: string, statedTime: number): Promise<void> {
    const created = await checkedValue(createCategory, text)
    if (created === undefined || !isOpen) return
    const at = outdate(statedTime)
    const serializedKey = keyOf(queryOf(listCategories, undefined))
    for (const [cache, mutate] of caches) {
      const list = cache.get(serializedKey)
      // A list in progress may be without the row, and must not be joined.
      if (list?.isValidating) activityOf(cache).invalidate(serializedKey, at)
      if (list) addCreated(cache, mutate, created)
    }
  }

  function takeInvalidation(beginning: string, statedTime: number): void {
    const at = outdate(statedTime)
    for (const [cache, mutate] of caches) {
      const activity = activityOf(cache)
      for (const key of [...cache.keys()].filter((other) => other.startsWith(keyOf(beginning)))) {
        activity.invalidate(key, at)
        if (isVisible() || !activity.isRead(key)) void mutate(key)
      }
    }
  }

  /** A hidden tab does not ask. */
  const isVisible = () => document.visibilityState === 'visible'
  const reload = () => {
    if (!isVisible()) return
    for (const { activity, serializedKey, mutate } of shown) {
      if (activity.invalidAt(serializedKey) !== undefined) void mutate(serializedKey)
    }
  }
  document.addEventListener('visibilitychange', reload)

  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isMessage(data)) return
    onHear(true)
    if (data.type === 'response') void receive(data.query, data.sentAt, data.text)
    else if (data.type === 'asking') respond(data.query, data.since, data.claim)
    else if (data.type === 'created') void takeCreated(data.text, data.at)
    else if (data.type === 'invalidate') takeInvalidation(data.query, data.at)
    else if (data.type === 'leave') outdate(data.at)
    else for (const load of matching(loads, data.query)) if (data.claim < claim) rivals.set(load, 1)
  }

  return {
    onResult: ({ operation, givenInput, response: { text }, sentAt, scope, key }, value) => {
      // A caller's own scope means that others must not see it. Nothing that repeats the key leaves the page.
      if (text === undefined || text.length > maxShared || scope !== undefined || (key && text.includes(key))) return
      if (operation.method !== 'GET') {
        const at = outdate(Date.now())
        if (operation.name === createCategory.name) post({ type: 'created', at, text })
        return
      }
      if (sentAt < kept.outdatedUntil()) return
      const query = queryOf(operation, givenInput)
      kept.keep(query, { sentAt, text, value, schema: operation.output, isOwn: true })
      post({ type: 'response', query, sentAt, text })
    },
    show: (query) => void shown.add(query),
    hide: (query) => void shown.delete(query),
    ask: (load) => ask(load),
    end: (load) => void loads.delete(load),
    invalidate: (operation, input, at) => {
      outdate(at)
      const query = input === undefined ? serialize([operation.name]) : queryOf(operation, input)
      post({ type: 'invalidate', at, query })
    },
    leave: (at) => {
      post({ type: 'leave', at })
      isOpen = false
      document.removeEventListener('visibilitychange', reload)
      channel.close()
    },
  }
}

interface KeptResponses {
  readonly get: (query: string) => KeptResponse | undefined
  readonly keep: (query: string, response: KeptResponse) => void
  /** Whether a response to a request of that time (epoch ms) is newer than the kept one, and not outdated. */
  readonly isNew: (query: string, sentAt: number) => boolean
  /** The time before which a response is of another session, or of before a change. In epoch ms. */
  readonly outdatedUntil: () => number
  /** Forgets what was asked for before a time. Returns the time, which is not in the future. */
  readonly outdate: (at: number) => number
}

/** The last response to each query. */
function createKeptResponses(start: number): KeptResponses {
  const kept = new Map<string, KeptResponse>()
  let length = 0
  let outdatedUntil = start
  const remove = (query: string) => {
    length -= kept.get(query)?.text.length ?? 0
    kept.delete(query)
  }
  return {
    get: (query) => kept.get(query),
    keep: (query, response) => {
      remove(query)
      kept.set(query, response)
      length += response.text.length
      for (const oldest of kept.keys()) {
        if (kept.size <= maxKept && length <= maxShared) return
        remove(oldest)
      }
    },
    isNew: (query, sentAt) => sentAt >= outdatedUntil && sentAt > (kept.get(query)?.sentAt ?? 0),
    outdatedUntil: () => outdatedUntil,
    outdate: (at) => {
      // A message with a time of tomorrow must not end the sharing.
      const time = Math.min(at, Date.now() + 1)
      outdatedUntil = Math.max(outdatedUntil, time)
      kept.clear()
      length = 0
      return time
    },
  }
}

const fields: Readonly<Record<string, readonly string[]>> = {
  asking: ['query', 'since', 'claim'],
  loading: ['query', 'claim'],
  response: ['query', 'sentAt', 'text'],
  created: ['at', 'text'],
  invalidate: ['at', 'query'],
  leave: ['at'],
} satisfies Record<Message['type'], readonly string[]>

/** Any code of the origin can send messages. */
function isMessage(data: unknown): data is Message {
  const message: Partial<Record<string, unknown>> = Object(data)
  const { type } = message
  const names = typeof type === 'string' && Object.hasOwn(fields, type) ? fields[type] : undefined
  return (
    names?.every((name) => {
      const value = message[name]
      return name === 'query' || name === 'text'
        ? typeof value === 'string' && value.length <= maxShared
        : Number.isFinite(value)
    }) === true
  )
}
