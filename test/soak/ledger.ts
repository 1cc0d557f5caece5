import { type CallOutcome, isPetstoreError } from '../../src/index.ts'
import type { RecordedRequest } from '../../src/testing.ts'
import type { VirtualTime } from './virtualTime.ts'

export type CallKind = 'create' | 'message' | 'pet' | 'list' | 'refresh'

interface Call {
  readonly kind: CallKind
  readonly tab: string
  readonly startedAt: number
  readonly requests: Exchange[]
  outcome?: string
  /** What the error says about whether the work was done. */
  errorOutcome?: CallOutcome
}

/** One request, from the tab to the service and back. Times are true epoch ms. */
export interface Exchange {
  readonly tab: string
  readonly key: string
  readonly method: string
  readonly path: string
  /** Which call it says that it is of; a list or pet that hooks show together is of none. */
  readonly callId: string | undefined
  readonly sentAt: number
  /** Once it has arrived. */
  entry?: RecordedRequest
  /** The status that the tab has heard of. */
  status?: number
}

/** What a day came to. */
export interface DayFigures {
  readonly calls: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly requests: number
  readonly refusals: number
  /** Requests that left before their tab could know of a cool-down. */
  readonly inFlight: number
  /** Requests that met a cool-down of the service which no tab had heard of, or whose end a wrong clock had told. */
  readonly unknowing: number
  readonly injectedBans: number
  readonly longestCall: number
  readonly maxOpen: number
}

/** An admission is good for so long, in ms: a cool-down that another tab learns of meanwhile may come too late. */
const admissionTime = 1_000
/** maxWait, four requests at their timeout, and the waits on the store between them, in ms. */
const longestLife = 65_000 + 4 * 30_000 + 15_000

export type Ledger = ReturnType<typeof createLedger>

/** The books of the soak: what was begun, how it ended, and what left for it. Whatever does not add up is a finding. */
export function createLedger(time: VirtualTime) {
  const findings: string[] = []
  const coolDowns = new Map<string, { until: number; readonly since: number }>()
  /** Until when the scenario has had a key banned (true epoch ms). */
  const bannedUntil = new Map<string, number>()
  let calls = new Map<string, Call>()
  let exchanges: Exchange[] = []
  let events = 0
  let open = 0
  let counts = newCounts()

  const find = (text: string) => void findings.push(`${new Date(time.now()).toISOString()} ${text}`)

  function end(id: string, outcome: string, errorOutcome?: CallOutcome): void {
    const call = calls.get(id)
    if (!call || call.outcome === 'killed') return
    if (call.outcome !== undefined) return find(`${id} ended as ${call.outcome}, and again as ${outcome}`)
    open -= 1
    call.outcome = outcome
    if (errorOutcome !== undefined) call.errorOutcome = errorOutcome
    const life = time.now() - call.startedAt
    counts.longestCall = Math.max(counts.longestCall, life)
    if (life > longestLife) find(`${id} in ${call.tab} took ${life} ms and ended as ${outcome}`)
  }

  /** Whether what was done is what the call was told. */
  function audit(id: string, { kind, outcome, errorOutcome, requests }: Call): void {
    if (outcome === undefined) return find(`${id} never ended`)
    if (kind !== 'create' && kind !== 'message') return
    const applied = requests.filter(({ entry }) => entry?.applied).length
    if (applied > 1) find(`${id} was done ${applied} times`)
    const certainly =
      outcome === 'succeeded' || errorOutcome === 'applied' ? 1 : errorOutcome === 'not-applied' ? 0 : undefined
    if (certainly !== undefined && applied !== certainly)
      find(`${id} ended as ${outcome} (${errorOutcome}), and was done ${applied} times`)
    const replayed = requests.slice(0, -1).filter(({ status }) => status !== 429 && status !== 401)
    if (replayed.length > 0) find(`${id} was sent again after ${replayed.map(({ status }) => status).join()}`)
  }

  return {
    findings,
    find,
    /** Follows a call to its end. `isRight` says whether a response is the one to this call. */
    follow: <Result>(
      id: string,
      kind: CallKind,
      tab: string,
      start: () => Promise<Result>,
      isRight: (result: Result) => boolean = () => true,
    ): void => {
      calls.set(id, { kind, tab, startedAt: time.now(), requests: [] })
      open += 1
      counts.maxOpen = Math.max(counts.maxOpen, open)
      start().then(
        (result) => {
          if (!isRight(result)) find(`${id} got the response of another call`)
          end(id, 'succeeded')
        },
        (error: unknown) => {
          if (isPetstoreError(error)) return end(id, error.kind, error.outcome)
          if (error instanceof Error && error.name === 'AbortError') return end(id, 'aborted')
          find(`${id} rejected with ${String(error)}`)
          end(id, 'untyped')
        },
      )
    },
    /** The tab is gone: nobody waits for its calls any more. */
    kill: (tab: string): void => {
      for (const [id, call] of calls) if (call.tab === tab && call.outcome === undefined) end(id, 'killed')
    },
    noteEvent: (): void => {
      events += 1
    },
    /** A request leaves. */
    noteExchange: (exchange: Exchange, record: string, isShown: boolean): void => {
      exchanges.push(exchange)
      const { callId, tab, method, path } = exchange
      const call = callId === undefined ? undefined : calls.get(callId)
      if (callId === undefined ? !isShown : call?.tab !== tab || call.outcome !== undefined)
        find(`${method} ${path} left ${tab} for no call (${callId})`)
      call?.requests.push(exchange)
      const coolDown = coolDowns.get(record)
      if (!coolDown || Date.now() >= coolDown.until) return
      const known = time.now() - coolDown.since
      if (known <= admissionTime) counts.inFlight += 1
      else find(`${method} ${path} left ${tab} ${known} ms into a cool-down`)
    },
    /** The request has arrived: the journal has an entry of it. */
    noteArrival: ({ tab, path, key, entry }: Exchange): void => {
      if (!entry) return
      if (entry.status === 429) counts.refusals += 1
      if (entry.banned && entry.at >= (bannedUntil.get(key) ?? 0)) find(`${path} from ${tab} brought a ban`)
      if (entry.coolingDown && !entry.banned) counts.unknowing += 1
    },
    noteInjectedBan: (key: string, until: number): void => {
      if ((bannedUntil.get(key) ?? 0) < time.now()) counts.injectedBans += 1
      bannedUntil.set(key, until)
    },
    /** A record was written: from now on all tabs may know of its cool-down, which never ends earlier. */
    noteRecord: (name: string, record: unknown): void => {
      const { cooldownUntil } = record as { cooldownUntil: number }
      const known = coolDowns.get(name)
      if (known && known.until > Date.now() && cooldownUntil < known.until) find('a write has cut a cool-down short')
      const isUnderWay = known !== undefined && known.until > Date.now()
      coolDowns.set(name, { until: cooldownUntil, since: isUnderWay ? known.since : time.now() })
    },
    /** What is left of a wait is left after the clock was set back, too; set forward, time has passed. */
    noteJump: (by: number): void => {
      if (by < 0) for (const coolDown of coolDowns.values()) coolDown.until += by
    },
    /** Ends the day's books, once everything has been closed. */
    closeDay: (requests: number): DayFigures => {
      for (const [id, call] of calls) audit(id, call)
      const arrived = exchanges.filter(({ entry }) => entry).length
      if (arrived !== requests) find(`the journal has ${requests} entries, of ${arrived} requests`)
      if (events !== exchanges.length) find(`${events} requests were announced, ${exchanges.length} left`)
      const outcomes: Record<string, number> = {}
      for (const { outcome = 'open' } of calls.values()) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      const figures = { ...counts, calls: calls.size, outcomes, requests: exchanges.length }
      calls = new Map()
      exchanges = []
      events = 0
      open = 0
      counts = newCounts()
      return figures
    },
  }
}

const newCounts = () => ({
  refusals: 0,
  inFlight: 0,
  unknowing: 0,
  injectedBans: 0,
  longestCall: 0,
  maxOpen: 0,
})
