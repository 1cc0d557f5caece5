import { type Cache, type ScopedMutator, unstable_serialize } from 'swr'
import { createListeners } from '../base/listeners.ts'
import { cacheKey, isOrphanedKey } from '../client/cacheKey.ts'
import type { Category } from '../contract/category.ts'
import { operations } from '../contract/operations.ts'
import type { PetstoreError } from '../client/errors.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import type { OnWait } from '../rate-limit/pendingRequest.ts'
import { type CallWait, callWait } from './CallWait.ts'
import { oncePerObject } from './state.ts'

/** How long a response counts as fresh, in ms. */
export const freshTime = 30_000

/** The state that the hooks on one SWR cache share beside it, per serialized cache key. */
export interface QueryActivity {
  /** While the request waits: until when, and why. */
  readonly wait: (serializedKey: string) => CallWait | undefined
  /** When the last response arrived, in epoch ms. */
  readonly updatedAt: (serializedKey: string) => number | undefined
  /** Calls `listener` whenever a `wait` or an `updatedAt` changes. */
  readonly subscribe: (listener: () => void) => () => void
  /** The keys whose next request a person asked for. */
  readonly userRequested: Set<string>
  /** When the last request started, in epoch ms. */
  readonly startedAt: (serializedKey: string) => number | undefined
  /** Records the start of a request, which replaces an earlier one. */
  readonly start: (serializedKey: string) => StartedRequest
  /**
   * Records data that arrived at a time (epoch ms), but not as the response to a request of this page. It replaces a request.
   *
   * @param isShared - whether another tab has asked for them, and so asks again first
   */
  readonly receive: (serializedKey: string, updatedAt: number, isShared?: boolean) => void
  /**
   * When a poll with this interval (ms) has to count from (epoch ms). Of several tabs, the one that asked last asks first.
   * The others wait for a twentieth of the interval at most, and a little longer for a tab that they have heard asking.
   */
  readonly polledAt: (serializedKey: string, interval: number) => number | undefined
  /** Records that another tab asks. */
  readonly noteAsking: (serializedKey: string) => void
  /** Whether data that were received are fresh. SWR knows only how fresh the responses to its own requests are. */
  readonly isFresh: (serializedKey: string) => boolean
  /** Adds a function that tells whether a component deals with an error. Returns the function that removes it. */
  readonly addErrorHandler: (serializedKey: string, isHandled: (error: PetstoreError) => boolean) => () => void
  /** Whether a mounted component deals with this error. */
  readonly isErrorHandled: (serializedKey: string, error: PetstoreError) => boolean
  /** Requests for an entry may be sent as long as a reader holds it. When none does, what has not left is canceled. */
  readonly createReader: (serializedKey: string) => Reader
  readonly isRead: (serializedKey: string) => boolean
  /**
   * Records that data of before are wrong: they are not fresh, and a request in progress for a reader is canceled, since its
   * response may be as old.
   */
  readonly invalidate: (serializedKey: string, at?: number) => void
  /** Until when data are wrong, in epoch ms; `undefined` once a request has started since. */
  readonly invalidAt: (serializedKey: string) => number | undefined
  /** Forgets that a request was ever started, since data of before may be wrong. */
  readonly forget: (serializedKey: string) => void
}

/** A mounted hook that shows an entry. */
export interface Reader {
  /** Reads the entry until the returned function is called; may be called several times. */
  readonly hold: () => () => void
  /** Ends everything that it holds. */
  readonly leave: () => void
}

interface StartedRequest {
  /** Data that were asked for since then (epoch ms) are fresh, and newer than those that are shown. */
  readonly since: number
  /** Aborted when the last reader has left and the request has not: nobody would see its response. */
  readonly signal: AbortSignal
  readonly cancel: () => void
  readonly onWait: OnWait
  readonly end: () => void
  /** The response has arrived. */
  readonly succeed: () => void
}

/** The last request for an entry. */
interface RequestActivity {
  /** Epoch ms. */
  readonly startedAt: number
  /** Whether the data came without a request. */
  readonly isReceived: boolean
  /** Whether another tab has asked for them. */
  readonly isShared: boolean
  wait?: CallWait | undefined
}

/** A request that has not ended. */
interface OpenRequest {
  readonly key: string
  /** The last reader has left. */
  isUnread: boolean
  /** It is in flight, or has been and may be sent again. */
  hasLeft: boolean
  readonly cancel: () => void
}

/** A reason to load an entry, of one reader. */
interface Hold {
  readonly key: string
}

export const queryActivityOf = /* @__PURE__ */ oncePerObject((cache: Cache): QueryActivity => {
  removeOrphanedEntries(cache)
  const latest = new Map<string, RequestActivity>()
  const updateTimes = new Map<string, number>()
  const invalid = new Map<string, number>()
  /** When another tab has asked. */
  const askTimes = new Map<string, number>()
  /** Where this page stands among the tabs that poll: 0 to 1. Not in a render, which must not depend on chance. */
  let turn: number | undefined
  const open = new Set<OpenRequest>()
  const allHolds = new Set<Hold>()
  const errorHandlers = new Set<{ readonly key: string; readonly isHandled: (error: PetstoreError) => boolean }>()
  const listeners = createListeners()
  const isRead = (key: string) => [...allHolds].some((hold) => hold.key === key)

  /** Cancels what has not left. The rest may end, for whoever comes back, but is not sent again. */
  function cancelUnread(key: string): void {
    if (isRead(key)) return
    for (const request of open) {
      if (request.key !== key) continue
      request.isUnread = true
      if (!request.hasLeft) request.cancel()
    }
  }

  return {
    wait: (serializedKey) => latest.get(serializedKey)?.wait,
    updatedAt: (serializedKey) => updateTimes.get(serializedKey),
    subscribe: listeners.add,
    userRequested: new Set(),
    startedAt: (serializedKey) => latest.get(serializedKey)?.startedAt,
    start: (key) => {
      const now = Date.now()
      const since = Math.max(now - freshTime, (latest.get(key)?.startedAt ?? -1) + 1, invalid.get(key) ?? 0)
      const controller = new AbortController()
      const activity: RequestActivity = {
        ...latest.get(key),
        startedAt: now,
        isReceived: false,
        isShared: false,
      }
      latest.set(key, activity)
      const invalidAt = invalid.get(key)
      invalid.delete(key)
      // SWR drops the response of a replaced request, so its wait must not show either.
      const isLatest = () => latest.get(key) === activity
      const setWait = (wait: CallWait | undefined) => {
        if (!isLatest()) return
        activity.wait = wait
        listeners.call()
      }
      const request: OpenRequest = {
        key,
        isUnread: false,
        hasLeft: false,
        cancel: () => controller.abort(),
      }
      open.add(request)
      return {
        since,
        signal: controller.signal,
        cancel: request.cancel,
        onWait: (...wait) => {
          request.hasLeft = wait[0] === undefined
          // Also when it is about to leave: a retry that did not have to wait.
          if (request.isUnread) request.cancel()
          else setWait(callWait(...wait))
        },
        succeed: () => {
          if (!isLatest()) return
          updateTimes.set(key, Date.now())
          listeners.call()
        },
        end: () => {
          open.delete(request)
          setWait(undefined)
          // What was not sent keeps nothing fresh.
          if (!controller.signal.aborted || !isLatest()) return
          latest.delete(key)
          if (invalidAt !== undefined) invalid.set(key, invalidAt)
        },
      }
    },
    polledAt: (serializedKey, interval) => {
      const { startedAt, isShared } = latest.get(serializedKey) ?? {}
      turn ??= Math.random()
      if (startedAt === undefined || !isShared) return startedAt
      const isAsking = (askTimes.get(serializedKey) ?? 0) > startedAt
      return startedAt + interval * (isAsking ? 0.05 + 0.02 * turn : 0.02 + 0.03 * turn)
    },
    noteAsking: (serializedKey) => void askTimes.set(serializedKey, Date.now()),
    receive: (serializedKey, updatedAt, isShared = false) => {
      latest.set(serializedKey, { ...latest.get(serializedKey), startedAt: updatedAt, isReceived: true, isShared })
      updateTimes.set(serializedKey, updatedAt)
      invalid.delete(serializedKey)
      askTimes.delete(serializedKey)
      listeners.call()
    },
    isFresh: (serializedKey) => {
      const { isReceived, startedAt } = latest.get(serializedKey) ?? {}
      if (!isReceived || startedAt === undefined) return false
      const age = Date.now() - startedAt
      // A clock that was set back cannot tell the age.
      return age >= 0 && age < freshTime
    },
    addErrorHandler: (key, isHandled) => {
      const handler = { key, isHandled }
      errorHandlers.add(handler)
      return () => void errorHandlers.delete(handler)
    },
    isErrorHandled: (serializedKey, error) =>
      [...errorHandlers].some(({ key, isHandled }) => key === serializedKey && isHandled(error)),
    createReader: (key) => {
      const holds = new Set<Hold>()
      function release(hold: Hold): void {
        if (!holds.delete(hold)) return
        allHolds.delete(hold)
        // Deferred: StrictMode releases and holds again at once, as does a page that follows another.
        setTimeout(() => cancelUnread(key))
      }
      return {
        hold: () => {
          const hold = { key }
          holds.add(hold)
          allHolds.add(hold)
          for (const request of open) if (request.key === key) request.isUnread = false
          return () => release(hold)
        },
        leave: () => holds.forEach(release),
      }
    },
    isRead,
    invalidate: (key, at = Date.now()) => {
      invalid.set(key, at)
      latest.delete(key)
      if (!isRead(key)) return
      for (const request of open) if (request.key === key) request.cancel()
    },
    invalidAt: (serializedKey) => invalid.get(serializedKey),
    forget: (serializedKey) => {
      invalid.set(serializedKey, Date.now())
      latest.delete(serializedKey)
      updateTimes.delete(serializedKey)
    },
  }
})

/** The SWR caches that have received data of a client, with what changes them. */
export const scopeCachesOf = /* @__PURE__ */ oncePerObject<PetstoreClient, Map<Cache, ScopedMutator>>(() => new Map())

type Rows = readonly Category[]

/**
 * Updates a client's list of categories in a cache after the service has changed its own. Sends a GET only if the list is
 * loading or failed to load, and returns a promise if the list has to load first. Without `update`, where nobody knows what
 * has changed, it loads a list that is shown again.
 */
export function updateCategoryRows(
  client: Pick<PetstoreClient, 'cacheScope'>,
  cache: Cache,
  mutate: ScopedMutator,
  update?: (rows: Rows) => Rows,
): Promise<unknown> | undefined {
  const key = cacheKey(client, operations.listCategories, undefined)
  const serializedKey = unstable_serialize(key)
  const list = cache.get(serializedKey)
  if (list?.data === undefined || !update) {
    queryActivityOf(cache).forget(serializedKey)
    // SWR drops the response of a GET in progress, which may not contain the change.
    return mutate(key)
  }
  const revalidate = list.isValidating === true || list.error !== undefined
  void mutate<Rows>(key, (rows = []) => update(rows), { revalidate })
  return undefined
}

/** Adds a category that was created. */
export const addCategory =
  (created: Category) =>
  (rows: Rows): Rows =>
    rows.some(({ id }) => id === created.id) ? rows : [...rows, created]

/**
 * Removes everything that the client has loaded from the SWR caches.
 *
 * @returns a function that puts it back
 */
export function removeScopeEntries(client: PetstoreClient): () => void {
  const prefix = unstable_serialize(['petstore', client.cacheScope])
  const removed = [...scopeCachesOf(client).keys()].flatMap((cache) =>
    [...cache.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ cache, key, state: cache.get(key) })),
  )
  for (const { cache, key } of removed) cache.delete(key)
  return () => {
    for (const { cache, key, state } of removed) {
      const current = cache.get(key)
      if (state && current?.data === undefined) cache.set(key, { ...state, ...current, data: state.data })
    }
  }
}

/** Removes what earlier pages left in a cache that persists: their random scopes never come back. */
function removeOrphanedEntries(cache: Cache): void {
  for (const key of [...cache.keys()]) if (isOrphanedKey(key)) cache.delete(key)
}
