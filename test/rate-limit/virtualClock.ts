import { createVirtualClock as createClock, type VirtualClock } from '../../src/testing/virtualClock.ts'

export type { VirtualClock }

/** Resolves when all pending promises have settled, also those that wait for work outside of JavaScript. */
export const flushMacrotasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Faster, for promises that wait only for each other: `nextTick` runs after the last of them. */
export const flushMicrotasks = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** @param flush - resolves when everything that follows from the last timer has happened */
export function createVirtualClock(start: number = Date.UTC(2026, 0, 1), flush = flushMacrotasks): VirtualClock {
  return createClock(start, flush)
}
