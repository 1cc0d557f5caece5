import type { Quota } from './upstream.ts'

/** What a process of the fleet is. */
export interface ProcessOptions {
  readonly id: string
  readonly baseUrl: string
  readonly plan: Quota
  /** How many there are. */
  readonly processes: number
  /** If missing, the process has a gate of its own. */
  readonly redisUrl?: string | undefined
  readonly usesIoRedis: boolean
  /** Whether it sends by plain `fetch`, without a client. */
  readonly isPlain: boolean
  /** By how much its clock is wrong, in ms. */
  readonly clockOffset: number
}

/** The calls that a process makes. */
export interface Work {
  /** If missing, it calls until it is stopped. */
  readonly calls?: number
  /** Calls at a time. If missing, a call begins every `interval` ms, whatever the calls before it do. */
  readonly concurrency?: number
  readonly interval?: number
}

/** What a process has done so far. */
export interface Report {
  readonly calls: number
  readonly succeeded: number
  /** How many calls failed, by the kind of their error. */
  readonly failed: Readonly<Record<string, number>>
  /** How long each successful call took, in ms. */
  readonly durations: readonly number[]
  /** How often the store has called each method of its Redis clients. */
  readonly commands: Readonly<Record<string, number>>
  /** How often its store has failed, as far as the client knows. */
  readonly outages: number
  /** Time of the processor since the start, in ms. */
  readonly cpu: number
}

export type ToProcess =
  | { readonly type: 'work'; readonly work: Work }
  | { readonly type: 'stop' }
  | { readonly type: 'report' }
export type FromProcess =
  | { readonly type: 'ready' }
  | { readonly type: 'report'; readonly report: Report }
  | { readonly type: 'done'; readonly report: Report }
