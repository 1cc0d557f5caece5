import type { Clock } from '../../src/rate-limit/Clock.ts'

interface Alarm {
  readonly at: number
  readonly order: number
  readonly ring: () => void
}

/** Time that passes only when nothing else is left to do: hours of waiting in milliseconds, the same each time. */
export interface VirtualClock extends Clock {
  /** Goes on until nothing is to come any more, or until a time (epoch ms). */
  run(until?: number): Promise<void>
}

/** Lets everything that has been promised happen. */
const promisesKept = () => new Promise<void>((resolve) => setImmediate(resolve))

export function createVirtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  let time = start
  let orders = 0
  let alarms: Alarm[] = []

  return {
    now: () => time,
    wakeAfter: (ms, ring) => {
      const alarm = { at: time + Math.max(0, ms), order: orders++, ring }
      const index = alarms.findIndex((other) => other.at > alarm.at)
      alarms.splice(index < 0 ? alarms.length : index, 0, alarm)
      return () => {
        alarms = alarms.filter((other) => other !== alarm)
      }
    },
    run: async (until = Number.POSITIVE_INFINITY) => {
      for (;;) {
        await promisesKept()
        const [next] = alarms
        if (!next || next.at > until) break
        alarms = alarms.slice(1)
        time = next.at
        next.ring()
      }
      if (until !== Number.POSITIVE_INFINITY) time = Math.max(time, until)
    },
  }
}
