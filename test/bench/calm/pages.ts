import { AsyncLocalStorage } from 'node:async_hooks'
import type { RateLimitStore } from '../../../src/client.ts'
import { createPresence, presence } from '../../../src/rate-limit/stores/presence.ts'

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
  /** The shared store as the page reaches it. What it writes in the last moment is lost, as in Chromium. */
  readonly reach: (shared: RateLimitStore) => RateLimitStore
}

/** Opens the pages of one world, each with its own `self`. Virtual time has to be started. */
export interface Pages {
  readonly open: (kind: 'page' | 'server') => Page
  readonly isOnline: () => boolean
  /** Cuts all pages off from the network or connects them again, and tells them. */
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

const pageGlobals = ['self', 'navigator', 'localStorage'] as const
const scopes = new AsyncLocalStorage<Scope | undefined>()
const never = () => new Promise<never>(() => {})

/** The call that the running code works for. */
export const currentCall = (): number | undefined => scopes.getStore()?.call

/** @param hasLocks - whether the browser has Web Locks */
export function startPages(hasLocks: boolean): Pages {
  const storage = createStorage()
  const locks = createLocks()
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
        locks.releaseAll(page)
      },
      reach: (shared) => ({
        ...shared,
        [presence]: page.run(undefined, createPresence),
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
      navigator: isPage ? navigatorOf(page) : undefined,
      localStorage: isPage ? storage : undefined,
    }
    pages.push(page)
    return page
  }

  const navigatorOf = (page: Page) => ({
    locks: hasLocks ? locks.of(page) : undefined,
    get onLine() {
      return isOnline
    },
  })

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

function createStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const items = new Map<string, string>()
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  }
}

interface Lock {
  readonly page: Page
  readonly name: string
  readonly grant: () => void
}

/** The exclusive Web Locks of an origin: a page that ends frees its own. */
function createLocks() {
  let held: Lock[] = []
  let pending: Lock[] = []

  function grantNext(): void {
    for (const lock of pending) {
      if (held.some(({ name }) => name === lock.name)) continue
      pending = pending.filter((other) => other !== lock)
      held.push(lock)
      lock.page.run(undefined, lock.grant)
    }
  }

  const release = (isOver: (lock: Lock) => boolean) => {
    held = held.filter((lock) => !isOver(lock))
    grantNext()
  }

  return {
    of: (page: Page) => ({
      request: (name: string, ...rest: readonly unknown[]) => {
        const work = rest.at(-1) as (lock: { readonly name: string }) => unknown
        return new Promise<unknown>((resolve, reject) => {
          const lock: Lock = {
            page,
            name,
            grant: () => {
              const ended = Promise.resolve(work({ name })).finally(() => release((other) => other === lock))
              ended.then(resolve, reject)
            },
          }
          pending.push(lock)
          grantNext()
        })
      },
      query: async () => {
        const describe = ({ page: { id }, name }: Lock) => ({ name, mode: 'exclusive', clientId: id })
        return { held: held.map(describe), pending: pending.map(describe) }
      },
    }),
    releaseAll: (page: Page) => {
      pending = pending.filter((lock) => lock.page !== page)
      release((lock) => lock.page === page)
    },
  }
}
