import type { Clock } from '../../src/rate-limit/Clock.ts'

interface Alarm {
  readonly at: number
  readonly order: number
  readonly ring: () => void
  isCancelled: boolean
}

/** Time that passes only when nothing else is left to do: hours of waiting in milliseconds, the same each time. */
export interface VirtualClock extends Clock {
  /** Goes on until nothing is to come any more, or until a time (epoch ms). */
  readonly run: (until?: number) => Promise<void>
}

/** Lets everything that has been promised happen, work outside JavaScript included. */
export const allWorkDone = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Faster: for where promises wait for nothing but each other. Ticks come after the last of them. */
export const promisesKept = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** @param settled - resolves when all that follows from the last alarm has happened */
export function createVirtualClock(start: number = Date.UTC(2026, 0, 1), settled = allWorkDone): VirtualClock {
  let time = start
  let orders = 0
  const alarms = createHeap()

  return {
    now: () => time,
    wakeAfter: (ms, ring) => {
      const alarm = { at: time + Math.max(0, ms), order: orders++, ring, isCancelled: false }
      alarms.push(alarm)
      return () => {
        alarm.isCancelled = true
      }
    },
    run: async (until = Number.POSITIVE_INFINITY) => {
      for (;;) {
        await settled()
        while (alarms.first()?.isCancelled) alarms.pop()
        const next = alarms.first()
        if (!next || next.at > until) break
        alarms.pop()
        time = next.at
        next.ring()
      }
      if (until !== Number.POSITIVE_INFINITY) time = Math.max(time, until)
    },
  }
}

/** A binary heap, the earliest alarm on top. */
function createHeap() {
  const items: Alarm[] = []
  const isBefore = (one: Alarm, other: Alarm) => one.at < other.at || (one.at === other.at && one.order < other.order)
  const itemAt = (index: number): Alarm => {
    const item = items[index]
    if (!item) throw new RangeError(`The heap has no item ${index}.`)
    return item
  }

  function push(alarm: Alarm): void {
    let index = items.length
    items.push(alarm)
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = itemAt(above)
      if (isBefore(parent, alarm)) break
      items[index] = parent
      index = above
    }
    items[index] = alarm
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

  return { push, pop, first: (): Alarm | undefined => items[0] }
}
