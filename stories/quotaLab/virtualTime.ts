import { createVirtualClock, type VirtualClock } from '../../test/rate-limit/virtualClock.ts'

/** A clock whose minutes pass within a second, also in browsers. */
export interface VirtualTime {
  readonly clock: VirtualClock
  /** @param ms - virtual time */
  readonly sleep: (ms: number) => Promise<void>
}

/** @param start - epoch ms */
export function createVirtualTime(start: number): VirtualTime {
  const clock = createVirtualClock(start, settlePendingWork)
  const sleepers = new Map<number, (() => void)[]>()

  // One timer wakes all that sleep until the same moment: with plain `fetch` a hundred calls retry at once, and each step of
  // the clock waits for the browser.
  function sleep(ms: number): Promise<void> {
    const at = clock.now() + ms
    const due = sleepers.get(at) ?? []
    if (due.length === 0) {
      sleepers.set(at, due)
      clock.wakeAfter(ms, () => {
        sleepers.delete(at)
        for (const wake of due) wake()
      })
    }
    return new Promise((resolve) => {
      due.push(resolve)
    })
  }

  return { clock, sleep }
}

/**
 * Waits until all promises have settled, so that virtual time can move on. The browser reads bodies and computes hashes
 * on other threads in order, so ours finish after those of the simulation. Two rounds, because a response follows a
 * request. Timers would not do: browsers throttle them.
 */
async function settlePendingWork(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await Promise.all([new Response('.').text(), hashNothing(), nextMessage()])
  }
}

// `crypto.subtle` is missing on insecure origins. The gate does without hashes there too.
const hashNothing = async () => crypto.subtle?.digest('SHA-256', new Uint8Array())

function nextMessage(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}
