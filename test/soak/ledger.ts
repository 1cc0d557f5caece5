import { type CallOutcome, isPetstoreError } from '../../src/index.ts'
import type { RecordedRequest } from '../../src/testing.ts'
import type { VirtualTime } from '../virtualTime.ts'

export type CallKind = 'create' | 'message' | 'pet' | 'list' | 'refresh'

interface Call {
  readonly kind: CallKind
  readonly tab: string
  readonly startedAt: number
  readonly requests: Exchange[]
  outcome?: string
  /** The `outcome` of the call's error. */
  errorOutcome?: CallOutcome
}

/** A request from a tab to the service, and its response. Times are true epoch ms. */
export interface Exchange {
  readonly tab: string
  readonly key: string
  readonly method: string
  readonly path: string
  /** The call that sent it. `undefined` for a list or pet that several hooks share. */
  readonly callId: string | undefined
  /** The service's record of it; `undefined` until it arrives. */
  entry?: RecordedRequest
  /** The status that the tab received. */
  status?: number
}

/** In ms: `maxWait`, four requests that time out, and the waits for the store between them. */
const maxCallDuration = 65_000 + 4 * 30_000 + 15_000

export type Ledger = ReturnType<typeof createLedger>

/** Records all calls, how they ended and their requests. Every inconsistency is a finding. */
export function createLedger(time: VirtualTime) {
  const findings: string[] = []
  const addFinding = (text: string) => void findings.push(`${new Date(time.now()).toISOString()} ${text}`)
  const calls = createCallBook(time, addFinding)
  /** When the bans that the scenario provoked end, by key (true epoch ms). */
  const bannedUntil = new Map<string, number>()
  let exchanges: Exchange[] = []
  let events = 0

  return {
    findings,
    addFinding,
    follow: calls.follow,
    kill: calls.kill,
    noteEvent: (): void => {
      events += 1
    },
    /** Called when a tab sends a request. */
    noteExchange: (exchange: Exchange, isShown: boolean): void => {
      exchanges.push(exchange)
      calls.noteExchange(exchange, isShown)
    },
    /** Called when a request has arrived and the service has recorded it. */
    noteArrival: ({ tab, path, key, entry }: Exchange): void => {
      if (entry?.banned && entry.at >= (bannedUntil.get(key) ?? 0)) addFinding(`${path} from ${tab} caused a ban`)
    },
    noteInjectedBan: (key: string, until: number): void => {
      bannedUntil.set(key, until)
    },
    /** Audits all calls of the day, and returns how many. Every tab must be closed. */
    closeDay: (requests: number): number => {
      const arrived = exchanges.filter(({ entry }) => entry).length
      if (arrived !== requests) addFinding(`the service recorded ${requests} requests, but ${arrived} arrived`)
      if (events !== exchanges.length) addFinding(`${events} request events for ${exchanges.length} requests`)
      exchanges = []
      events = 0
      return calls.closeDay()
    },
  }
}

/** The calls of a day and how they ended. */
function createCallBook(time: VirtualTime, addFinding: (text: string) => void) {
  let calls = new Map<string, Call>()

  function end(id: string, outcome: string, errorOutcome?: CallOutcome): void {
    const call = calls.get(id)
    if (!call || call.outcome === 'killed') return
    if (call.outcome !== undefined) return addFinding(`${id} ended as ${call.outcome}, and again as ${outcome}`)
    call.outcome = outcome
    if (errorOutcome !== undefined) call.errorOutcome = errorOutcome
    const duration = time.now() - call.startedAt
    if (duration > maxCallDuration) addFinding(`${id} in ${call.tab} took ${duration} ms and ended as ${outcome}`)
  }

  return {
    /** Follows a call to its end. `isOwnResult` tells whether a result belongs to this call. */
    follow: <Result>(
      id: string,
      kind: CallKind,
      tab: string,
      start: () => Promise<Result>,
      isOwnResult: (result: Result) => boolean = () => true,
    ): void => {
      calls.set(id, { kind, tab, startedAt: time.now(), requests: [] })
      start().then(
        (result) => {
          if (!isOwnResult(result)) addFinding(`${id} got the response of another call`)
          end(id, 'succeeded')
        },
        (error: unknown) => {
          if (isPetstoreError(error)) return end(id, error.kind, error.outcome)
          if (error instanceof Error && error.name === 'AbortError') return end(id, 'aborted')
          addFinding(`${id} rejected with ${String(error)}`)
          end(id, 'untyped')
        },
      )
    },
    /** Ends the calls of a tab that has crashed. */
    kill: (tab: string): void => {
      for (const [id, call] of calls) if (call.tab === tab && call.outcome === undefined) end(id, 'killed')
    },
    /** Assigns a request to the call that sent it. */
    noteExchange: (exchange: Exchange, isShown: boolean): void => {
      const { callId, tab, method, path } = exchange
      const call = callId === undefined ? undefined : calls.get(callId)
      if (callId === undefined ? !isShown : call?.tab !== tab || call.outcome !== undefined)
        addFinding(`${method} ${path} was sent by ${tab} without a pending call (${callId})`)
      call?.requests.push(exchange)
    },
    closeDay: (): number => {
      for (const [id, call] of calls) for (const problem of problemsOf(call)) addFinding(`${id} ${problem}`)
      const { size } = calls
      calls = new Map()
      return size
    },
  }
}

/** Compares the outcome of a call with what its requests did. */
function problemsOf({ kind, outcome, errorOutcome, requests }: Call): string[] {
  if (outcome === undefined) return ['never ended']
  if (kind !== 'create' && kind !== 'message') return []
  const problems: string[] = []
  const applied = requests.filter(({ entry }) => entry?.applied).length
  if (applied > 1) problems.push(`was applied ${applied} times`)
  const expectedCount =
    outcome === 'succeeded' || errorOutcome === 'applied' ? 1 : errorOutcome === 'not-applied' ? 0 : undefined
  if (expectedCount !== undefined && applied !== expectedCount)
    problems.push(`ended as ${outcome} (${errorOutcome}), and was applied ${applied} times`)
  const replayed = requests.slice(0, -1).filter(({ status }) => status !== 429 && status !== 401)
  if (replayed.length > 0) problems.push(`was sent again after ${replayed.map(({ status }) => status).join()}`)
  return problems
}
