import { type ScopedMutator, unstable_serialize } from 'swr'
import { sha256 } from '../base/ids.ts'
import type { AcceptResponse, OnResponse } from '../client/createPetstoreClient.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { Category } from '../contract/category.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { operations } from '../contract/operations.ts'
import { addCategory, type QueryActivity, queryActivityOf, scopeCachesOf, updateCategoryRows } from './queryActivity.ts'
import { sightOfPage } from './state.ts'

/** What the tabs of one address, key and scope tell each other. */
type Message =
  /** A tab is about to send a request, and would take a response that was asked for since then. */
  | { readonly type: 'asking'; readonly query: string; readonly since: number }
  /** A response to a request that left at that time, as the service sent it. */
  | { readonly type: 'response'; readonly query: string; readonly sentAt: number; readonly text: string }
  /** A category that was created. */
  | { readonly type: 'created'; readonly text: string }
  /** All queries that begin with this have changed. */
  | { readonly type: 'invalidate'; readonly query: string }
  /** A provider has left the scope, perhaps because its user has signed out. */
  | { readonly type: 'leave' }

/** A query that is shown or loading. */
export interface SharedQuery {
  readonly serializedKey: string
  readonly operation: Operation
  readonly input: unknown
  readonly activity: QueryActivity
  readonly mutate: ScopedMutator
}

interface ReceivedValue {
  readonly value: unknown
  /** When its request left, in epoch ms. */
  readonly sentAt: number
}

interface SharedLoad {
  /** Settles with the response of another tab that came before the request had left. */
  readonly received: Promise<ReceivedValue>
  /** The request leaves, or waits again. */
  readonly setLeft: (hasLeft: boolean) => void
  readonly end: () => void
}

interface Load extends Pick<SharedQuery, 'operation' | 'input'> {
  readonly since: number
  hasLeft: boolean
  readonly settle: (received: ReceivedValue) => void
}

interface SharedResponse {
  /** Epoch ms. */
  readonly sentAt: number
  readonly text: string
  /** Whether this tab has asked for it. */
  readonly isOwn: boolean
}

/** Shares responses with the other tabs of the same address, key and scope. */
export interface ResponseSharing {
  /** Called with each response of the client. */
  readonly onResponse: OnResponse
  /** Takes responses to a query until the returned function is called. */
  readonly show: (query: SharedQuery) => () => void
  /** Tells the others of a load, which would take a response that was asked for since then (epoch ms). */
  readonly load: (query: Pick<SharedQuery, 'operation' | 'input'>, since: number) => SharedLoad
  /** Tells the others that the data of an operation have changed: those of one input, or of all. */
  readonly invalidate: (operation: Operation, input: unknown) => void
  readonly open: (client: PetstoreClient) => void
  /** Tells the others to forget what they know of before, as after a sign-out. */
  readonly leave: () => void
}

/** Of the clients that share. */
export const sharingOf = new WeakMap<PetstoreClient, ResponseSharing>()

/** In characters. Of a longer text, a tab passes on only what it has loaded itself. */
const maxRelayed = 100_000
/** In characters. A longer text is not shared. */
const maxShared = 5_000_000
/** How many responses a tab keeps for tabs that open later. */
const maxKept = 50
/** How long a tab that shows wrong data leaves it to others to ask, in ms. */
const invalidDelay = 100
const maxInvalidDelay = 5_000

/** Where this page stands among the tabs that wait for each other: 0 to 1. */
let ownTurn: number | undefined
const turn = () => (ownTurn ??= Math.random())

/** When this page has last left each scope, in epoch ms. */
const leftAt = new Map<string, number>()

/**
 * @param identity - of address, key and scope: only its hash names the channel
 * @param accept - checks a text as a response of the service
 */
export function createResponseSharing(identity: string, accept: AcceptResponse): ResponseSharing {
  /** By query: what is shown, and what is loading. */
  const shown = new Map<string, Set<SharedQuery>>()
  const loads = new Map<string, Load>()
  /** The last response to each query, for tabs that open later. */
  const kept = new Map<string, SharedResponse>()
  let client: PetstoreClient | undefined
  let channel: BroadcastChannel | undefined
  let isOpen = false
  let stopSight = () => {}
  /** What was asked for until then is of another session, or of before a change. In epoch ms. */
  let outdatedUntil = leftAt.get(identity) ?? 0

  const post = (message: Message) => channel?.postMessage(message)
  /** The part of a serialized key that is the same in all tabs: without the scope, which may be random. */
  const queryOf = (operation: Operation, input: unknown) => unstable_serialize([operation.name, input ?? null])
  const keyOf = (query: string, { cacheScope }: PetstoreClient) =>
    unstable_serialize(['petstore', cacheScope]) + query.slice(1)

  function keep(query: string, response: SharedResponse): void {
    kept.delete(query)
    kept.set(query, response)
    const [oldest = ''] = kept.keys()
    if (kept.size > maxKept) kept.delete(oldest)
  }

  function outdate(): void {
    outdatedUntil = Date.now()
    kept.clear()
  }

  function onResponse({ operation, input, response: { text }, sentAt }: Parameters<OnResponse>[0]): void {
    if (operation.name === operations.createCategory.name && text !== undefined) post({ type: 'created', text })
    if (operation.method !== 'GET') return outdate()
    if (text === undefined || text.length > maxShared || sentAt <= outdatedUntil) return
    const query = queryOf(operation, input)
    keep(query, { sentAt, text, isOwn: true })
    post({ type: 'response', query, sentAt, text })
  }

  async function receive(query: string, told: number, text: string): Promise<void> {
    const sentAt = Math.min(told, Date.now())
    const isNew = () => isOpen && sentAt > outdatedUntil && sentAt > (kept.get(query)?.sentAt ?? 0)
    const [any] = shown.get(query) ?? []
    const target = loads.get(query) ?? any
    if (!target || !isNew()) return
    const value = await accept(target.operation, target.input, text)
    if (!isNew()) return
    keep(query, { sentAt, text, isOwn: false })
    const load = loads.get(query)
    if (load) {
      // What has left brings a later response.
      if (!load.hasLeft && sentAt >= load.since) load.settle({ value, sentAt })
      return
    }
    for (const { activity, serializedKey, mutate } of shown.get(query) ?? []) {
      if (sentAt <= (activity.startedAt(serializedKey) ?? 0)) continue
      void mutate(serializedKey, value, { revalidate: false })
      activity.receive(serializedKey, sentAt, true)
    }
  }

  function answer(query: string, since: number): void {
    for (const { activity, serializedKey } of shown.get(query) ?? []) activity.noteAsking(serializedKey)
    const response = kept.get(query)
    if (!response || response.sentAt < since || !(response.isOwn || response.text.length <= maxRelayed)) return
    post({ type: 'response', query, sentAt: response.sentAt, text: response.text })
  }

  async function takeCreated(text: string): Promise<void> {
    // Any valid input: its response is known.
    const created = await accept(operations.createCategory, { name: '' }, text)
    if (!isOpen || !client) return
    outdate()
    for (const [cache, mutate] of scopeCachesOf(client)) {
      const serializedKey = keyOf(queryOf(operations.listCategories, undefined), client)
      // A list in progress may be without the row, and must not be joined.
      if (cache.get(serializedKey)?.isValidating) queryActivityOf(cache).invalidate(serializedKey)
      // The schema of the operation has made it.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      if (cache.get(serializedKey)) void updateCategoryRows(client, cache, mutate, addCategory(created as Category))
    }
  }

  function takeInvalidation(beginning: string): void {
    if (!client) return
    outdate()
    const since = Date.now()
    for (const [cache, mutate] of scopeCachesOf(client)) {
      const activity = queryActivityOf(cache)
      const start = keyOf(beginning, client)
      for (const key of [...cache.keys()].filter((other) => other.startsWith(start))) {
        activity.invalidate(key)
        if (activity.isRead(key)) setTimeout(() => reload(activity, key, mutate, since), invalidDelay * (1 + turn()))
        else void mutate(key)
      }
    }
  }

  /** Asks for wrong data that no other tab has asked for. */
  function reload(activity: QueryActivity, key: string, mutate: ScopedMutator, since: number): void {
    if (!isOpen || !activity.isInvalid(key) || !sightOfPage().isVisible()) return
    if (activity.askedAt(key) >= since && Date.now() - since < maxInvalidDelay) {
      setTimeout(() => reload(activity, key, mutate, since), maxInvalidDelay / 5)
    } else void mutate(key)
  }

  function take(message: Message): void {
    if (message.type === 'response') void receive(message.query, message.sentAt, message.text).catch(() => {})
    else if (message.type === 'asking') answer(message.query, message.since)
    else if (message.type === 'created') void takeCreated(message.text).catch(() => {})
    else if (message.type === 'invalidate') takeInvalidation(message.query)
    else outdate()
  }

  async function open(owner: PetstoreClient): Promise<void> {
    if (isOpen || typeof BroadcastChannel === 'undefined') return
    isOpen = true
    client = owner
    stopSight = sightOfPage().onVisible(() => {
      for (const { activity, serializedKey, mutate } of [...shown.values()].flatMap((all) => [...all])) {
        if (activity.isInvalid(serializedKey)) void mutate(serializedKey)
      }
    })
    const hash = await sha256(identity)
    // Without a hash (insecure origins) the name would show the key.
    if (!isOpen || channel || hash === undefined) return
    channel = new BroadcastChannel(`petstore-responses-${hash}`)
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isMessage(data)) take(data)
    }
    for (const [query, { since }] of loads) post({ type: 'asking', query, since })
  }

  return {
    onResponse,
    open: (owner) => void open(owner),
    show: (shownQuery) => {
      const query = queryOf(shownQuery.operation, shownQuery.input)
      const all = shown.get(query) ?? new Set()
      shown.set(query, all.add(shownQuery))
      return () => {
        all.delete(shownQuery)
        if (all.size === 0 && shown.get(query) === all) shown.delete(query)
      }
    },
    load: ({ operation, input }, since) => {
      const query = queryOf(operation, input)
      let settle: Load['settle'] = () => {}
      const received = new Promise<ReceivedValue>((resolve) => {
        settle = resolve
      })
      const load: Load = { operation, input, since, hasLeft: false, settle }
      loads.set(query, load)
      post({ type: 'asking', query, since })
      return {
        received,
        setLeft: (hasLeft) => {
          load.hasLeft = hasLeft
        },
        end: () => {
          if (loads.get(query) === load) loads.delete(query)
        },
      }
    },
    invalidate: (operation, input) => {
      outdate()
      const query = queryOf(operation, input)
      post({ type: 'invalidate', query: input === undefined ? unstable_serialize([operation.name]) : query })
    },
    leave: () => {
      if (!isOpen) return
      isOpen = false
      post({ type: 'leave' })
      outdate()
      leftAt.set(identity, outdatedUntil)
      stopSight()
      channel?.close()
      channel = undefined
    },
  }
}

/** Any code of the origin can send messages. */
function isMessage(data: unknown): data is Message {
  const { type, query, since, sentAt, text }: Partial<Record<string, unknown>> = Object(data)
  const isText = typeof text === 'string' && text.length <= maxShared
  if (type === 'leave') return true
  if (type === 'created') return isText
  if (typeof query !== 'string') return false
  if (type === 'asking') return typeof since === 'number'
  return type === 'invalidate' || (type === 'response' && isText && typeof sentAt === 'number')
}
