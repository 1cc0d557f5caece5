export interface Percentiles {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** What a scenario has measured. Figures that it is not about are missing. */
export interface Figures {
  readonly processes: number
  readonly callsPerSecond?: number
  /** Time of the processor for each call in all processes of the fleet, in ms. */
  readonly cpu?: number
  /** Redis commands for each call. */
  readonly roundTrips?: number
  /** Through Redis for each call, in both directions. */
  readonly bytes?: number
  /** The memory that all records take at the end, in bytes. */
  readonly recordSize?: number
  /** Time between a call and its request, in ms. */
  readonly held?: Percentiles
  /** Time between a call and its result, in ms. */
  readonly took?: Percentiles
  /** 429s of windows that the fleet alone has used up. */
  readonly refused: number
  /** Requests that left after a refusal that their process could know, before its wait was over. */
  readonly inCooldown: number
  readonly isBanned: boolean
  /** How often a process took Redis for unavailable. */
  readonly outages: number
  /** Calls whose request was accepted twice. */
  readonly duplicates: number
  /** Calls that failed, or that a living process did not end. */
  readonly unsettled: number
  /** Time until the last request left, divided by that of a client that knows everything. */
  readonly completion?: number
  /** The longest time in which the service had units left and calls waited, but none left, in ms. */
  readonly silence?: number
  /** More, for the run of a single scenario. */
  readonly details?: readonly string[]
}

/** What a scenario is to show. Missing figures do not matter. */
export interface Goals {
  readonly refused: number
  readonly completion?: number
}
