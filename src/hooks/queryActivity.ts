import type { Cache } from 'swr'
import type { PetstoreError } from '../client/errors.ts'
import { createListeners } from '../rate-limit/listeners.ts'
import { oncePerObject } from './oncePerObject.ts'
import { removeOrphanedEntries } from './removeScopeEntries.ts'

/** What the hooks on one SWR cache share beside it, per serialized cache key. */
export interface QueryActivity {
  /** While the rate limit delays the request: the earliest time at which it can leave, in epoch ms. */
  readonly retryAt: (serializedKey: string) => number | undefined
  /** When the last response arrived, in epoch ms. */
  readonly updatedAt: (serializedKey: string) => number | undefined
  /** Calls `listener` whenever a `retryAt` or an `updatedAt` changes. */
  readonly subscribe: (listener: () => void) => () => void
  /** The keys whose next request a person asked for. */
  readonly userRequested: Set<string>
  /** When the last request started, in epoch ms. */
  readonly startedAt: (serializedKey: string) => number | undefined
  /** Records the start of a request, which replaces an earlier one. */
  readonly start: (serializedKey: string) => StartedRequest
  /** Adds a function that tells whether a component deals with an error. Returns the function that removes it. */
  readonly addErrorHandler: (serializedKey: string, isHandled: (error: PetstoreError) => boolean) => () => void
  /** Whether a mounted component deals with this error. */
  readonly isErrorHandled: (serializedKey: string, error: PetstoreError) => boolean
  /** Lets the entry be loaded, until the returned function is called. */
  readonly permit: (serializedKey: string) => () => void
  readonly isPermitted: (serializedKey: string) => boolean
  /** Forgets that a request was ever started. */
  readonly forget: (serializedKey: string) => void
}

interface StartedRequest {
  /** The request cannot leave before `until` (epoch ms); `undefined`: it no longer waits. */
  readonly onWait: (until: number | undefined) => void
  readonly end: () => void
  /** The response has arrived. */
  readonly succeed: () => void
}

/** The last request for an entry. Times are in epoch ms. */
interface RequestActivity {
  readonly startedAt: number
  /** The earliest time at which it can leave, while the rate limit delays it. */
  retryAt?: number | undefined
  /** When the last response arrived, perhaps that of an earlier request. */
  updatedAt?: number
}

export const queryActivityOf = oncePerObject((cache: Cache): QueryActivity => {
  removeOrphanedEntries(cache)
  const latest = new Map<string, RequestActivity>()
  const permits = new Set<{ readonly key: string }>()
  const errorHandlers = new Set<{ readonly key: string; readonly isHandled: (error: PetstoreError) => boolean }>()
  const listeners = createListeners()

  return {
    retryAt: (serializedKey) => latest.get(serializedKey)?.retryAt,
    updatedAt: (serializedKey) => latest.get(serializedKey)?.updatedAt,
    subscribe: listeners.add,
    userRequested: new Set(),
    startedAt: (serializedKey) => latest.get(serializedKey)?.startedAt,
    start: (serializedKey) => {
      const request: RequestActivity = { ...latest.get(serializedKey), startedAt: Date.now() }
      latest.set(serializedKey, request)
      // SWR drops the response of a replaced request, so its wait must not show either.
      const change = (changed: Partial<RequestActivity>) => {
        if (latest.get(serializedKey) !== request) return
        Object.assign(request, changed)
        listeners.call()
      }
      return {
        onWait: (retryAt) => change({ retryAt }),
        succeed: () => change({ updatedAt: Date.now() }),
        end: () => change({ retryAt: undefined }),
      }
    },
    addErrorHandler: (key, isHandled) => {
      const handler = { key, isHandled }
      errorHandlers.add(handler)
      return () => void errorHandlers.delete(handler)
    },
    isErrorHandled: (serializedKey, error) =>
      [...errorHandlers].some(({ key, isHandled }) => key === serializedKey && isHandled(error)),
    permit: (key) => {
      const permit = { key }
      permits.add(permit)
      return () => void permits.delete(permit)
    },
    isPermitted: (serializedKey) => [...permits].some(({ key }) => key === serializedKey),
    forget: (serializedKey) => void latest.delete(serializedKey),
  }
})
