import { createHash } from 'node:crypto'
import { hash } from './hash.ts'

/*
 * The parts of the platform that the client uses, as plain JavaScript. Node's own `AbortController` and `Request` take most
 * of the time of a step, and hide who listens. What the client does with them is the same.
 */

type Listener = (event: { readonly target: unknown }) => void

/** An event target that says how many listeners it has. */
export class PlainTarget {
  readonly #listeners = new Map<string, Set<Listener>>()

  addEventListener(name: string, listener: Listener): void {
    const known = this.#listeners.get(name)
    if (known) known.add(listener)
    else this.#listeners.set(name, new Set([listener]))
  }

  removeEventListener(name: string, listener: Listener): void {
    this.#listeners.get(name)?.delete(listener)
  }

  /** Calls the listeners of an event, and forgets them where it happens only once. */
  emit(name: string, isLast = false): void {
    const listeners = [...(this.#listeners.get(name) ?? [])]
    if (isLast) this.#listeners.delete(name)
    for (const listener of listeners) listener({ target: this })
  }

  get listenerCount(): number {
    let count = 0
    for (const listeners of this.#listeners.values()) count += listeners.size
    return count
  }
}

class PlainSignal extends PlainTarget {
  aborted = false
  reason: unknown = undefined

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }
}

class PlainController {
  readonly signal = new PlainSignal()

  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    const { signal } = this
    if (signal.aborted) return
    signal.aborted = true
    signal.reason = reason
    signal.emit('abort', true)
  }
}

export class PlainHeaders {
  readonly #values: Map<string, string>

  constructor(init: Readonly<Record<string, string>> | PlainHeaders = {}) {
    const entries = init instanceof PlainHeaders ? [...init.#values] : Object.entries(init)
    this.#values = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]))
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value)
  }
}

interface RequestFields {
  readonly method?: string
  readonly signal?: PlainSignal
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>> | PlainHeaders
}

/** What is read of a request that is sent. */
export class PlainRequest {
  readonly url: string
  readonly method: string
  readonly signal: PlainSignal | undefined
  readonly body: string | undefined
  readonly headers: PlainHeaders

  constructor(from: string | PlainRequest, { method = 'GET', signal, body, headers }: RequestFields = {}) {
    this.url = typeof from === 'string' ? from : from.url
    this.method = method
    this.signal = signal
    this.body = body
    this.headers = new PlainHeaders(headers)
  }
}

/** A response of the handler to a visitor. */
export class PlainResponse {
  readonly status: number
  readonly headers: PlainHeaders
  readonly body: unknown

  constructor(
    body: unknown,
    { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
  ) {
    this.status = status
    this.headers = new PlainHeaders(headers)
    this.body = body
  }

  static json(body: unknown, init?: { status?: number; headers?: Record<string, string> }): PlainResponse {
    return new PlainResponse(JSON.stringify(body), init)
  }
}

/** Whose code runs now. A world sets it before each event. */
export const turn: { self: PlainTarget | undefined; random: () => number } = { self: undefined, random: () => 0.5 }

/** Numbers for the ids of one page: the same for each play of the same inputs. */
export interface Numbers {
  readonly next: () => number
  /** How many were taken. */
  readonly taken: () => number
}

export function createNumbers(page: number): Numbers {
  let taken = 0
  return {
    next: () => {
      taken += 1
      return (page * 1_000 + taken) / 36 ** 4
    },
    taken: () => taken,
  }
}

const timerNames = new Map<string, string>()

/** A short text for what a timer does: of two that are due at once, the one that was set first wakes first. */
export function nameTimer(wake: () => void): string {
  const source = String(wake)
  const name = timerNames.get(source) ?? hash(source)[0].toString(36)
  timerNames.set(source, name)
  return name
}

/** Puts the plain parts in place of the platform's. Returns a function that restores them. */
export function installPlatform(): () => void {
  const replaced = {
    AbortController: { value: PlainController },
    Request: { value: PlainRequest },
    Response: { value: PlainResponse },
    Headers: { value: PlainHeaders },
    self: { get: () => turn.self },
  }
  const known = Object.keys(replaced).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(globalThis, name, { configurable: true, ...value })
  }
  const { subtle } = crypto
  const digest = subtle.digest.bind(subtle)
  // Web Crypto hashes on another thread, in real time.
  subtle.digest = async (_, data) => {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data)
    return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer
  }
  const { random } = Math
  Math.random = () => turn.random()
  return () => {
    Math.random = random
    subtle.digest = digest
    for (const [name, descriptor] of known) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}

export const createPlainController = (): PlainController => new PlainController()
export type { PlainController }
