import { vi } from 'vitest'
import type { Random } from './random.ts'

/** Virtual time: days pass within seconds. The machine's clock (`Date.now()`) can be wrong, the true time cannot. */
export interface VirtualTime {
  /** The true time in epoch ms, which is the service's clock. */
  readonly now: () => number
  /** How far the machine's clock is ahead, in ms. */
  readonly ahead: () => number
  /** Sets the machine's clock. Timers do not change. */
  readonly setAhead: (ms: number) => void
  readonly sleep: (ms: number) => Promise<void>
  /** Lets time pass until `work` settles. */
  readonly run: <Result>(work: Promise<Result>) => Promise<Result>
  readonly stop: () => void
}

const { setImmediate: turn } = globalThis
const digest = crypto.subtle.digest.bind(crypto.subtle)
const { random: realRandom } = Math

export function startVirtualTime(start: number, random: Random): VirtualTime {
  let ahead = 0
  const pendingDigests = new Set<object>()
  vi.useFakeTimers({
    toFake: [
      ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const),
      ...(['requestAnimationFrame', 'cancelAnimationFrame'] as const),
    ],
    now: start,
  })
  // At least 1 ms, as in Node. Fake timers below 1 ms fire at once, which can loop forever.
  const { setTimeout: fakeTimeout } = globalThis
  vi.stubGlobal('setTimeout', (ring: () => void, ms = 0) => fakeTimeout(ring, Math.max(1, ms)))
  Math.random = random.next
  // Time must not pass while another thread computes a hash.
  crypto.subtle.digest = (...input) => {
    const digesting = digest(...input)
    pendingDigests.add(digesting)
    return digesting.finally(() => pendingDigests.delete(digesting))
  }
  /** Waits for all pending promises, including React's rendering. */
  const settle = async () => {
    do {
      await new Promise(turn)
      await new Promise(turn)
    } while (pendingDigests.size > 0)
  }

  return {
    now: () => Date.now() - ahead,
    ahead: () => ahead,
    setAhead: (ms) => {
      vi.setSystemTime(Date.now() - ahead + ms)
      ahead = ms
    },
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    run: async (work) => {
      let hasEnded = false
      const mark = () => {
        hasEnded = true
      }
      work.then(mark, mark)
      for (;;) {
        await settle()
        if (hasEnded) return work
        if (vi.getTimerCount() === 0) throw new Error('No timers are left, but the work has not settled.')
        vi.advanceTimersToNextTimer()
      }
    },
    stop: () => {
      vi.useRealTimers()
      Math.random = realRandom
      crypto.subtle.digest = digest
    },
  }
}
