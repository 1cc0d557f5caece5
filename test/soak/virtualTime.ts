import { vi } from 'vitest'
import type { Random } from './random.ts'

/** Days that pass in seconds. The machine's clock (`Date.now()`) may go wrong; the true time does not. */
export interface VirtualTime {
  /** Epoch ms: the service's clock. */
  readonly now: () => number
  /** By how much the machine's clock is ahead, in ms. */
  readonly ahead: () => number
  /** Sets the machine's clock. Timers go on as they were. */
  readonly setAhead: (ms: number) => void
  readonly sleep: (ms: number) => Promise<void>
  /** Lets time pass until `work` has ended. */
  readonly run: <Result>(work: Promise<Result>) => Promise<Result>
  readonly stop: () => void
}

const { setImmediate: turn } = globalThis
const digest = crypto.subtle.digest.bind(crypto.subtle)
const { random: realRandom } = Math

export function startVirtualTime(start: number, random: Random): VirtualTime {
  let ahead = 0
  const digestsUnderWay = new Set<object>()
  vi.useFakeTimers({
    toFake: [
      ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const),
      ...(['requestAnimationFrame', 'cancelAnimationFrame'] as const),
    ],
    now: start,
  })
  // As Node's timers do, and unlike the fake ones, which ring at once for less than a millisecond, without end.
  const { setTimeout: fakeTimeout } = globalThis
  vi.stubGlobal('setTimeout', (ring: () => void, ms = 0) => fakeTimeout(ring, Math.max(1, ms)))
  Math.random = random.next
  // Hashing happens on another thread: time must not pass meanwhile.
  crypto.subtle.digest = (...input) => {
    const digesting = digest(...input)
    digestsUnderWay.add(digesting)
    return digesting.finally(() => digestsUnderWay.delete(digesting))
  }
  /** Lets everything that has been promised happen, React's rendering included. */
  const settle = async () => {
    do {
      await new Promise(turn)
      await new Promise(turn)
    } while (digestsUnderWay.size > 0)
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
        if (vi.getTimerCount() === 0) throw new Error('Nothing is left to happen, and the work has not ended.')
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
