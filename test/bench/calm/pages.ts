import { AsyncLocalStorage } from 'node:async_hooks'
import type { RateLimitStore } from '../../../src/client.ts'
import { leaveTab } from '../../../src/rate-limit/pages.ts'
import { never } from '../virtualTime.ts'

/** A page, or a server process, whose code can end at any time. */
export interface Page {
  readonly id: string
  readonly isOpen: boolean
  /** Runs code of the page. What it starts belongs to the page and to the call, however long it takes. */
  readonly run: <Result>(call: number | undefined, work: () => Result) => Result
  /** Dispatches an event of the page, such as `online`. */
  readonly dispatch: (type: string) => void
  /**
   * Ends the page: its timers, its requests and its updates of the store.
   *
   * @param isCrash - whether the page gets no `pagehide`
   */
  readonly close: (isCrash: boolean) => void
  /** The shared store as the page reaches it. What it writes as it ends is lost, as in Chromium. */
  readonly reach: (shared: RateLimitStore) => RateLimitStore
}

/** Opens the pages of one world, each with its own `self`. Virtual time has to be started. */
export interface Pages {
  readonly open: (kind: 'page' | 'server') => Page
  readonly isOnline: () => boolean
  /** Cuts all pages off from the network or connects them again, and dispatches `offline` or `online` in each. */
  readonly setOnline: (isOnline: boolean) => void
  /** Restores the globals. */
  readonly stop: () => void
}

interface Scope {
  readonly page: Page
  /** The number of the call that the code works for. */
  readonly call: number | undefined
  readonly globals: Readonly<Record<(typeof pageGlobals)[number], unknown>>
}

const pageGlobals = ['self', 'navigator', 'sessionStorage', 'location'] as const
const scopes = new AsyncLocalStorage<Scope | undefined>()

export const currentCall = (): number | undefined => scopes.getStore()?.call

export function startPages(): Pages {
  /** `sessionStorage` of tabs whose page has ended: the next page of the tab gets it. */
  const endedTabs: Map<string, string>[] = []
  const restore = pageGlobals.map((name) => {
    const known = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, { configurable: true, get: () => scopes.getStore()?.globals[name] })
    return () => {
      if (known) Object.defineProperty(globalThis, name, known)
      else Reflect.deleteProperty(globalThis, name)
    }
  })
  bindTimers()
  const pages: Page[] = []
  let isOnline = true

  function open(kind: 'page' | 'server'): Page {
    const events = new EventTarget()
    const isPage = kind === 'page'
    const storage = endedTabs.pop() ?? new Map<string, string>()
    let isOpen = true
    const page: Page = {
      id: `${kind} ${pages.length + 1}`,
      get isOpen() {
        return isOpen
      },
      run: (call, work) => scopes.run({ page, call, globals }, work),
      dispatch: (type) => page.run(undefined, () => events.dispatchEvent(new Event(type))),
      close: (isCrash) => {
        if (!isCrash) page.dispatch('pagehide')
        isOpen = false
        // A browser ends the kit's modules with the page. Here all pages share them, so they have to forget this one.
        for (const id of storage.values()) leaveTab(id)
        endedTabs.push(storage)
      },
      reach: (shared) => ({
        ...shared,
        inMemory: false, // else a page would not take over from the page before in its tab
        update: async (name, change) => {
          // As a transaction does, the update begins after the code that asks for it.
          await Promise.resolve()
          if (!isOpen) return never()
          await shared.update(name, change)
          return isOpen ? undefined : never()
        },
        subscribe: (name, listener) =>
          shared.subscribe(name, (stored) => {
            if (isOpen) page.run(undefined, () => listener(stored))
          }),
      }),
    }
    const globals = {
      self: isPage ? events : undefined,
      navigator: isPage ? navigator : undefined,
      sessionStorage: isPage ? createStorage(storage) : undefined,
      location: isPage ? new URL('https://app.test') : undefined,
    }
    pages.push(page)
    return page
  }

  const navigator = {
    get onLine() {
      return isOnline
    },
  }

  function setOnline(next: boolean): void {
    isOnline = next
    for (const page of pages) if (page.isOpen) page.dispatch(next ? 'online' : 'offline')
  }

  return { open, isOnline: () => isOnline, setOnline, stop: () => restore.forEach((undo) => undo()) }
}

/** A timer runs in the scope in which it was set, unless its page has ended. Virtual time restores the real timers. */
function bindTimers(): void {
  const bind = (set: typeof setTimeout) =>
    ((fire: (...rest: unknown[]) => void, ms?: number, ...rest: unknown[]) => {
      const scope = scopes.getStore()
      return set(() => {
        if (scope?.page.isOpen !== false) scopes.run(scope, fire, ...rest)
      }, ms)
    }) as typeof setTimeout
  Object.assign(globalThis, { setTimeout: bind(setTimeout), setInterval: bind(setInterval as typeof setTimeout) })
}

function createStorage(items: Map<string, string>): Pick<Storage, 'getItem' | 'setItem'> {
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
  }
}
