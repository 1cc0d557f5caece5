import type { Clock } from '../../src/base/Clock.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly wake: () => void
  isCanceled: boolean
}

/** A clock whose time passes only when nothing else is left to do. Hours take milliseconds, and each run is the same. */
export interface VirtualClock extends Clock {
  /** Lets time pass until no timer is left, or until a time (epoch ms). */
  readonly run: (until?: number) => Promise<void>
}

/** Resolves when all pending promises have settled, also those that wait for work outside of JavaScript. */
export const flushMacrotasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Faster, for promises that wait only for each other: Node calls `nextTick` after the last of them. */
export const flushMicrotasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** @param flush - resolves when everything that follows from the last timer has happened */
export function createVirtualClock(start: number = Date.UTC(2026, 0, 1), flush = flushMacrotasks): VirtualClock {
  let time = start
  let nextOrder = 0
  const timers = createHeap()

  return {
    now: () => time,
    monotonic: () => time,
    wakeAfter: (ms, wake) => {
      const timer = { at: time + Math.max(0, ms), order: nextOrder++, wake, isCanceled: false }
      timers.push(timer)
      return () => {
        timer.isCanceled = true
      }
    },
    run: async (until = Number.POSITIVE_INFINITY) => {
      for (;;) {
        await flush()
        while (timers.first()?.isCanceled) timers.pop()
        const next = timers.first()
        if (!next || next.at > until) break
        timers.pop()
        time = next.at
        next.wake()
      }
      if (until !== Number.POSITIVE_INFINITY) time = Math.max(time, until)
    },
  }
}

/** A binary heap with the earliest timer on top. */
function createHeap() {
  const items: Timer[] = []
  const isBefore = (one: Timer, other: Timer) => one.at < other.at || (one.at === other.at && one.order < other.order)
  const itemAt = (index: number): Timer => {
    const item = items[index]
    if (!item) throw new RangeError(`The heap has no item ${index}.`)
    return item
  }

  function push(timer: Timer): void {
    let index = items.length
    items.push(timer)
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = itemAt(above)
      if (isBefore(parent, timer)) break
      items[index] = parent
      index = above
    }
    items[index] = timer
  }

  function pop(): void {
    const last = items.pop()
    if (!last || items.length === 0) return
    let index = 0
    for (;;) {
      let below = 2 * index + 1
      if (below >= items.length) break
      if (below + 1 < items.length && isBefore(itemAt(below + 1), itemAt(below))) below += 1
      if (isBefore(last, itemAt(below))) break
      items[index] = itemAt(below)
      index = below
    }
    items[index] = last
  }

  return { push, pop, first: (): Timer | undefined => items[0] }
}
