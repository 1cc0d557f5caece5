import type { RecordDatabase } from '../../src/rate-limit/stores/recordDatabase.ts'
import type { VirtualTime } from '../virtualTime.ts'
import type { Random } from './random.ts'

/*
 * Replaces what the tabs of one origin share: `BroadcastChannel` and the database of the browser store.
 * Transactions run one after the other and take time. Messages arrive even later.
 */

const records = new Map<string, unknown>()
const openChannels = new Set<SlowChannel>()
let random: Random | undefined
let freeAt = 0

/** The data and channels of the origin. */
export interface SharedDatabase {
  readonly records: ReadonlyMap<string, unknown>
  readonly openChannels: ReadonlySet<unknown>
}

/** Starts with an empty database. */
export function startDatabase(chance: Random): SharedDatabase {
  records.clear()
  openChannels.clear()
  random = chance
  freeAt = 0
  return { records, openChannels }
}

const sleep: VirtualTime['sleep'] = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const latency = () => random?.between(1, 30) ?? 1

async function update(name: string, change: (stored: unknown) => unknown): Promise<unknown> {
  // `performance.now()`, because the simulation sets the system clock.
  const now = performance.now()
  freeAt = Math.max(now, freeAt) + latency()
  await sleep(freeAt - now)
  const stored: unknown = structuredClone(records.get(name))
  const changed = change(stored)
  if (changed === stored) return undefined
  const written: unknown = structuredClone(changed)
  records.set(name, written)
  await sleep(latency())
  return written
}

async function deleteWhere(isUnused: (record: unknown) => boolean): Promise<void> {
  for (const [name, record] of records) if (isUnused(structuredClone(record))) records.delete(name)
}

export const createRecordDatabase = (): RecordDatabase => ({ update, deleteWhere })

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
