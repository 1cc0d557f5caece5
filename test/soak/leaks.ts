import { setImmediate as turn } from 'node:timers/promises'

/** Counts the listeners on `window` and `document` that are added from now on. */
export function countListeners(): () => number {
  const held = new Map<string, Set<unknown>>()
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target)
    const remove = target.removeEventListener.bind(target)
    const listenersFor = (type: string, options: unknown) => {
      const isCapturing = options === true || (JSON.stringify(options) ?? '').includes('"capture":true')
      const place = `${target === window ? 'window' : 'document'} ${type} ${isCapturing}`
      const listeners = held.get(place) ?? new Set()
      held.set(place, listeners)
      return listeners
    }
    target.addEventListener = (type: string, listener: EventListener, options?: AddEventListenerOptions) => {
      listenersFor(type, options).add(listener)
      add(type, listener, options)
    }
    target.removeEventListener = (type: string, listener: EventListener, options?: EventListenerOptions) => {
      listenersFor(type, options).delete(listener)
      remove(type, listener, options)
    }
  }
  return () => [...held.values()].reduce((sum, { size }) => sum + size, 0)
}

/** Counts the objects that are still reachable. */
export function countAlive(): { readonly add: (item: object) => void; readonly alive: () => number } {
  const known = new WeakSet<object>()
  let references: WeakRef<object>[] = []
  return {
    add: (item) => {
      if (!known.has(item)) references.push(new WeakRef(item))
      known.add(item)
    },
    alive: () => {
      references = references.filter((reference) => reference.deref() !== undefined)
      return references.length
    },
  }
}

/** The used heap after a garbage collection, in bytes; `undefined` if Node does not expose `gc`. */
export async function heapInUse(): Promise<number | undefined> {
  const { gc } = globalThis
  if (!gc) return undefined
  for (let round = 0; round < 3; round += 1) {
    await turn()
    gc()
  }
  return process.memoryUsage().heapUsed
}

/** The average growth from one value to the next, by least squares. */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const both = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0)
  return both / values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
}
