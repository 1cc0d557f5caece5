import type { VirtualTime } from './virtualTime.ts'
import type { Random } from './random.ts'

/*
 * Replaces what the tabs of one origin share: `BroadcastChannel` and the part of `idb-keyval` that the browser store uses.
 * Transactions run one after the other and take time. Messages arrive even later.
 */

const records = new Map<string, unknown>()
const openChannels = new Set<SlowChannel>()
let random: Random | undefined
let freeAt = 0
let onWrite = (_name: string, _record: unknown) => {}

/** The data and channels of the origin. */
export interface SharedDatabase {
  readonly records: ReadonlyMap<string, unknown>
  readonly openChannels: ReadonlySet<unknown>
}

/** Starts with an empty database. `noteWrite` is called for each record at the moment it is written. */
export function startDatabase(chance: Random, noteWrite: typeof onWrite): SharedDatabase {
  records.clear()
  openChannels.clear()
  random = chance
  freeAt = 0
  onWrite = noteWrite
  return { records, openChannels }
}

const sleep: VirtualTime['sleep'] = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const latency = () => random?.between(1, 30) ?? 1

export const createStore = () => ({})

export async function update(name: string, change: (stored: unknown) => unknown): Promise<void> {
  // `performance.now()`, because the simulation sets the system clock.
  const now = performance.now()
  freeAt = Math.max(now, freeAt) + latency()
  await sleep(freeAt - now)
  const changed = structuredClone(change(structuredClone(records.get(name))))
  records.set(name, changed)
  onWrite(name, changed)
  await sleep(latency())
}

export const entries = async (): Promise<[string, unknown][]> => structuredClone([...records])

export async function delMany(names: readonly string[]): Promise<void> {
  for (const name of names) records.delete(name)
}

export class SlowChannel {
  readonly name: string
  onmessage: ((event: MessageEvent<unknown>) => void) | null = null

  constructor(name: string) {
    this.name = name
    openChannels.add(this)
  }

  postMessage(message: unknown): void {
    const data: unknown = structuredClone(message)
    for (const other of openChannels) {
      if (other === this || other.name !== this.name) continue
      setTimeout(() => openChannels.has(other) && other.onmessage?.(new MessageEvent('message', { data })), latency())
    }
  }

  close(): void {
    openChannels.delete(this)
  }
}
