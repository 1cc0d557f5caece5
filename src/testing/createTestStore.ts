import type { ServiceProviderProps } from './ServiceProviderProps.ts'

/**
 * A store for the clients of one service. Not the one of the client's own code, which this layer does not import:
 * service and client check each other.
 */
export function createTestStore(): ServiceProviderProps['rateLimitStore'] {
  const records = new Map<string, unknown>()
  const listeners = new Set<(name: string, stored: unknown) => void>()
  return {
    inMemory: true,
    update: async (name, change) => {
      const stored = records.get(name)
      const changed = change(stored)
      if (changed === stored) return
      records.set(name, changed)
      for (const listener of listeners) listener(name, changed)
    },
    subscribe: (name, listener) => {
      const onChange = (changedName: string, stored: unknown) => {
        if (changedName === name) listener(stored)
      }
      listeners.add(onChange)
      return () => void listeners.delete(onChange)
    },
  }
}
