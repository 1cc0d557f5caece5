/** Virtual time for every library that reads a clock or sets a timer. It passes only when nothing else is left to do. */
export interface VirtualTime {
  /** The true time, which the service has, in epoch ms. */
  readonly now: () => number
  /** Sets how far the clients' clock is ahead of the true time, in ms. Timers do not change. */
  readonly setAhead: (ms: number) => void
  readonly sleep: (ms: number) => Promise<void>
  /** Lets time pass until `end` settles, until `latest` (epoch ms), or until no timer is left. */
  readonly run: (end: Promise<unknown>, latest: number) => Promise<'ended' | 'too late' | 'stuck'>
  /** Restores the real clock and timers. Pending virtual timers never fire. */
  readonly stop: () => void
}

/** In ms. Node fires timers with a longer delay after 1 ms. Some clients set such timers. */
const maxTimerDelay = 2 ** 31 - 1

const real = {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  Date,
  random: Math.random,
  performanceNow: performance.now.bind(performance),
  digest: crypto.subtle.digest.bind(crypto.subtle),
}

/** The return value of the replaced timer functions, with the methods of Node's timers. */
class Timer {
  isCanceled = false
  at: number
  readonly order: number
  readonly fire: () => void
  readonly every: number | undefined

  constructor(at: number, order: number, fire: () => void, every?: number) {
    this.at = at
    this.order = order
    this.fire = fire
    this.every = every
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }
}

/**
 * Replaces the global clock, timers and `Math.random`.
 *
 * @param start - epoch ms
 */
export function startVirtualTime(start: number, seed: number): VirtualTime {
  let time = start
  let ahead = 0
  let nextOrder = 0
  const pendingDigests = new Set<object>()
  /** The earliest timer first, and of equal times the one that was set first. */
  const queue: Timer[] = []

  const enqueue = (timer: Timer) => {
    const before = queue.findLastIndex(({ at, order }) => at < timer.at || (at === timer.at && order < timer.order))
    queue.splice(before + 1, 0, timer)
  }
  const add = (ms: number, fire: () => void, isRepeated = false): Timer => {
    const wait = ms >= 1 && ms <= maxTimerDelay ? Math.trunc(ms) : 1
    const timer = new Timer(time + wait, nextOrder++, fire, isRepeated ? wait : undefined)
    enqueue(timer)
    return timer
  }
  const cancel = (timer: unknown) => {
    if (timer instanceof Timer) timer.isCanceled = true
  }
  class VirtualDate extends real.Date {
    constructor(...values: unknown[]) {
      // Subclasses cannot spell out the overloads of Date.
      super(...((values.length === 0 ? [time + ahead] : values) as [number]))
    }

    static override now(): number {
      return time + ahead
    }
  }
  Object.assign(globalThis, {
    setTimeout: (fire: (...rest: unknown[]) => void, ms: unknown = 1, ...rest: unknown[]) =>
      add(Number(ms), () => fire(...rest)),
    setInterval: (fire: (...rest: unknown[]) => void, ms: unknown = 1, ...rest: unknown[]) =>
      add(Number(ms), () => fire(...rest), true),
    clearTimeout: cancel,
    clearInterval: cancel,
    Date: VirtualDate,
  })
  Math.random = createRandom(seed)
  performance.now = () => time - start
  // Hashing happens on another thread: time must not pass meanwhile.
  crypto.subtle.digest = (...input) => {
    const digesting = real.digest(...input)
    pendingDigests.add(digesting)
    return digesting.finally(() => pendingDigests.delete(digesting))
  }

  const turn = () => new Promise<void>((resolve) => real.setImmediate(resolve))
  /** Lets all pending promises settle. */
  const settle = async () => {
    do {
      await turn()
      await turn()
    } while (pendingDigests.size > 0)
  }

  return {
    now: () => time,
    setAhead: (ms) => {
      ahead = ms
    },
    sleep: (ms) => new Promise((resolve) => void add(ms, resolve)),
    run: async (end, latest) => {
      let hasEnded = false
      const mark = () => {
        hasEnded = true
      }
      end.then(mark, mark)
      for (;;) {
        await settle()
        if (hasEnded) return 'ended'
        const next = queue.shift()
        if (!next) return 'stuck'
        if (next.isCanceled) continue
        if (next.at > latest) return 'too late'
        time = next.at
        if (next.every !== undefined) {
          next.at += next.every
          enqueue(next)
        }
        next.fire()
      }
    },
    stop: () => {
      const { random, performanceNow, digest, ...globals } = real
      Object.assign(globalThis, globals)
      Math.random = random
      performance.now = performanceNow
      crypto.subtle.digest = digest
    },
  }
}

/** Waits `ms`, as a request on its way does. Rejects when `signal` aborts, which alone ends a wait of `Infinity`. */
export async function travel({ sleep }: VirtualTime, ms: number, signal: AbortSignal): Promise<void> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
  })
  signal.addEventListener('abort', abort)
  try {
    await Promise.race([ms === Infinity ? never() : sleep(ms), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

export const never = () => new Promise<never>(() => {})

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
