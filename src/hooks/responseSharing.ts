import { unstable_serialize } from 'swr'
import { sha256 } from '../base/ids.ts'
import type { OnResult } from '../client/createPetstoreClient.ts'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { readText } from '../client/steps/parseResponse.ts'
import type { Category } from '../contract/category.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { operations } from '../contract/operations.ts'
import { addCategory, freshTime, queryActivityOf, scopeCachesOf, updateCategoryRows } from './queryActivity.ts'
import type { ReceivedValue, SharedLoad, SharedQuery, Tabs } from './tabs.ts'

interface LoadOptions extends Pick<SharedLoad, 'since'> {
  /** Whether a person refreshes, who waits for no other tab. */
  readonly isRequested: boolean
  readonly signal: AbortSignal
}

interface StartedLoad {
  /** Resolves with the response of another tab; never if there is none. */
  readonly received: Promise<ReceivedValue>
  /** Resolves when the request may leave. */
  readonly asked: Promise<void>
  /** The request waits until then, or leaves. */
  readonly onWait: (retryAt: number | undefined) => void
  readonly end: () => void
}

/** Shares responses with the other tabs of the same address, key and scope. What does it is loaded when a provider mounts. */
export interface ResponseSharing {
  readonly onResult: OnResult
  /** Takes responses to a query until the returned function is called. */
  readonly show: (query: SharedQuery) => () => void
  readonly load: (query: SharedQuery, options: LoadOptions) => StartedLoad
  /** Tells the others that the data of an operation have changed: those of one input, or of all. */
  readonly invalidate: (operation: Operation, input?: unknown) => void
  readonly open: (client: PetstoreClient) => void
  /** Stops sharing, and has the others forget what they keep for this tab, as after a sign-out. */
  readonly leave: () => void
}

/** Of the clients that share. */
export const sharingOf = new WeakMap<PetstoreClient, ResponseSharing>()

/** When this page has last left each identity, in epoch ms. */
const leftAt = new Map<string, number>()

/** How long a request is held back for what listens to other tabs, in ms. */
const connectTime = 100

/** Names the time of the last load of any tab. Nothing else says at once whether another tab may be open. */
const lastLoadName = 'petstore-last-load'

/** @param identity - equal for tabs that share */
export function createResponseSharing(identity: string): ResponseSharing | undefined {
  // Node's reaches all threads of a process, and so other tests.
  if (typeof BroadcastChannel === 'undefined' || 'unref' in BroadcastChannel.prototype) return undefined
  /** Whether another tab may respond. */
  let mayHear: boolean | undefined
  let connect: (tabs: Promise<Tabs>) => void
  let connected: Promise<Tabs>
  let isOpen = false
  const reset = () => {
    connected = new Promise((resolve) => {
      connect = resolve
    })
  }
  reset()
  // Without the chunk, or a hash, nothing is shared.
  const tell = (use: (tabs: Tabs) => void) => void connected.then(use).catch(() => {})

  function load(query: SharedQuery, { since, isRequested, signal }: LoadOptions): StartedLoad {
    const wasLoaded = noteLoad()
    mayHear ??= wasLoaded
    let settle: SharedLoad['settle'] = () => {}
    let proceed = () => {}
    const received = new Promise<ReceivedValue>((resolve) => {
      settle = resolve
    })
    const asked = new Promise<void>((resolve) => {
      proceed = () => {
        shared.isAsking = false
        resolve()
      }
    })
    const shared: SharedLoad = {
      ...query,
      since: isRequested ? Date.now() : since,
      isAsking: mayHear && !isRequested,
      isWaiting: false,
      leftAt: undefined,
      settle,
      proceed: () => proceed(),
    }
    if (!shared.isAsking) proceed()
    else {
      signal.addEventListener('abort', proceed)
      const timer = setTimeout(proceed, connectTime)
      tell(() => clearTimeout(timer))
    }
    tell((tabs) => tabs.ask(shared))
    return {
      received,
      asked,
      onWait: (retryAt) => {
        shared.isWaiting = retryAt !== undefined
        shared.leftAt = shared.isWaiting ? undefined : Date.now()
      },
      end: () => tell((tabs) => tabs.end(shared)),
    }
  }

  async function openTabs(client: PetstoreClient): Promise<Tabs> {
    const [hash, tabs] = await Promise.all([sha256(identity), import('./tabs.ts')])
    // As on insecure origins: the name would show the key.
    if (hash === undefined) throw new TypeError('no hash')
    return tabs.openTabs({
      ...operations,
      channelName: `petstore-responses-${hash}`,
      cacheScope: client.cacheScope,
      leftAt: leftAt.get(identity) ?? 0,
      caches: scopeCachesOf(client),
      activityOf: queryActivityOf,
      serialize: unstable_serialize,
      readText,
      // `createCategory` alone is passed on so, and `tabs.ts` has checked the row with its schema.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      addCreated: (cache, mutate, row) => void updateCategoryRows(client, cache, mutate, addCategory(row as Category)),
      onHear: (hears) => {
        mayHear = hears
        hasHeard ||= hears
      },
    })
  }

  return {
    onResult: (attempt, result) => tell((tabs) => tabs.onResult(attempt, result)),
    show: (query) => {
      tell((tabs) => tabs.show(query))
      return () => tell((tabs) => tabs.hide(query))
    },
    load,
    invalidate: (operation, input) => {
      const at = Date.now()
      tell((tabs) => tabs.invalidate(operation, input, at))
    },
    open: (client) => {
      if (isOpen) return
      isOpen = true
      connect(openTabs(client))
    },
    leave: () => {
      if (!isOpen) return
      isOpen = false
      // What this tab asks for in the same ms may be of before.
      const at = Date.now() + 1
      leftAt.set(identity, at)
      tell((tabs) => tabs.leave(at))
      reset()
    },
  }
}

let hasHeard = false
let hasNoted = false

/** Notes a load for tabs that open soon. Returns whether any tab has noted one whose response may still be fresh. */
function noteLoad(): boolean {
  try {
    const age = Date.now() - Number(localStorage.getItem(lastLoadName))
    localStorage.setItem(lastLoadName, String(Date.now()))
    // The next page of a tab that is alone has nobody to wait for.
    if (!hasNoted) addEventListener('pagehide', () => hasHeard || localStorage.removeItem(lastLoadName))
    hasNoted = true
    return age >= 0 && age < freshTime
  } catch {
    return false
  }
}
