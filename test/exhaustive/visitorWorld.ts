import { createHandlerProgram, type HandlerDeed, type HandlerInput, type HandlerLook } from './handlerProgram.ts'
import { createMachine, findDivergence, type MachineState, type Transition } from './machine.ts'
import { begin } from './page.ts'
import type { Choice, Model, World } from './search.ts'
import {
  arriveAt,
  closeAt,
  createSmallService,
  describeService,
  gatewayResponse,
  type SmallResponse,
  type SmallService,
} from './smallService.ts'

export type VisitorFault = 'leave' | 'late' | 'gateway 503' | 'service 429' | 'request lost' | 'store fails'

export const visitorFaults: readonly VisitorFault[] = [
  'leave',
  'late',
  'gateway 503',
  'service 429',
  'request lost',
  'store fails',
]

/** The bounds of a search: everything within them is tried. */
export interface VisitorBounds {
  /** Who visits, in the order in which each of them does. */
  readonly visits: readonly string[]
  /** Units in a minute. */
  readonly quota: number
  /** How many calls may wait. */
  readonly maxQueued: number
  /** How many things go wrong on one path, at most. */
  readonly faults: number
  readonly kinds: readonly VisitorFault[]
}

/** A request of the handler to the service. */
interface Upstream {
  readonly number: number
  readonly sentAt: number
  readonly response: SmallResponse | undefined
}

/** All that a world holds. What is in its lists is never changed, but replaced. */
interface Facts {
  time: number
  faults: number
  problem: string | undefined
  service: SmallService
  code: MachineState<HandlerInput, HandlerLook>
  look: HandlerLook | undefined
  /** How each visit has ended, or that it is `planned` or `pending`. */
  outcomes: string[]
  /** The requests that have not ended. */
  upstream: readonly Upstream[]
  /** Who has seen each list. */
  seenBy: readonly (readonly [string, string])[]
  /** Until when the handler knows that nothing may leave. */
  knownUntil: number
}

/** Lets an event happen to the facts, and tells it. */
type Act = (facts: Facts, story: string[] | undefined) => Promise<void> | void

/** How a handler may respond. */
const expectedStatuses = [200, 429, 502, 503, 504]

/** A handler, two visitors who ask for the same list, and the service, which has another one for each response. */
export function createVisitorModel({ visits, quota, maxQueued, faults: maxFaults, kinds }: VisitorBounds): Model {
  const machine = createMachine(() => createHandlerProgram(visits, quota, maxQueued))

  const tell = ({ time }: Facts, story: string[] | undefined, sentence: string) =>
    void story?.push(`${(time - begin) / 1_000} s: ${sentence}`)

  function fail(facts: Facts, text: string): void {
    facts.problem ??= text
  }

  function run(facts: Facts, story: string[] | undefined, name: string, input: HandlerInput): Promise<void> | void {
    const found = machine.after(facts.code, `${facts.time} ${name}`, () => input)
    const take = ({ look, to, problem }: Transition<HandlerInput, HandlerLook>) => {
      if (problem !== undefined) fail(facts, problem)
      facts.code = to
      facts.look = look
      for (const deed of look.deeds) note(facts, story, deed)
    }
    return found instanceof Promise ? found.then(take) : take(found)
  }

  /** Notes what the handler has done, and whether that was right. */
  function note(facts: Facts, story: string[] | undefined, deed: HandlerDeed): void {
    const { time, knownUntil } = facts
    if (deed.type === 'sent') {
      tell(facts, story, 'The handler sends a request.')
      if (time < knownUntil) fail(facts, `sent ${knownUntil - time} ms before the end of a known cool-down`)
      facts.upstream = [...facts.upstream, { number: deed.request, sentAt: time, response: undefined }]
    } else if (deed.type === 'gave up') end(facts, deed.request)
    else {
      const { visit, status, text } = deed
      const user = visits[visit] ?? ''
      facts.outcomes[visit] = String(status)
      if (!expectedStatuses.includes(status)) fail(facts, `the handler responds with ${status}`)
      tell(facts, story, `${user} gets a ${status}.`)
      if (status !== 200 || text === undefined) return
      const owner = facts.seenBy.find(([seen]) => seen === text)?.[1]
      if (owner === undefined) facts.seenBy = [...facts.seenBy, [text, user]]
      else if (owner !== user) fail(facts, `${user} got a list that ${owner} had got`)
    }
  }

  function end(facts: Facts, request: number): void {
    facts.upstream = facts.upstream.filter(({ number }) => number !== request)
  }

  function respond(facts: Facts, request: Upstream, response: SmallResponse): void {
    facts.upstream = facts.upstream.map((one) => (one === request ? { ...one, response } : one))
  }

  function arrive(facts: Facts, request: Upstream): void {
    const { number } = request
    const list = `[{"id":${number + 1},"name":"list ${number}","createdAt":"2026-01-01T00:00:00Z"}]`
    const { service, response } = arriveAt(facts.service, facts.time, list)
    facts.service = service
    respond(facts, request, response)
  }

  interface Events {
    readonly facts: Facts
    readonly may: (fault: VisitorFault) => boolean
    readonly add: (name: string, act: Act) => void
    readonly fault: (name: string, act: Act) => void
  }

  function collect(facts: Facts): ReadonlyMap<string, Choice> {
    const enabled = new Map<string, Choice>()
    if (facts.problem !== undefined) return enabled
    const may = (fault: VisitorFault) => facts.faults > 0 && kinds.includes(fault)
    const add = (name: string, act: Act) => void enabled.set(name, (story) => perform(facts, act, story))
    const fault = (name: string, act: Act) =>
      add(name, (changed, story) => {
        changed.faults -= 1
        return act(changed, story)
      })
    const events = { facts, may, add, fault }
    addStore(events)
    for (const request of facts.upstream) addService(events, request)
    addVisits(events)
    addTime(events)
    return enabled
  }

  function addStore({ facts: { look, time }, may, add, fault }: Events): void {
    const uses = look?.uses ?? []
    if (uses.some(({ isWritten }) => !isWritten)) {
      add('writes', (facts, story) => {
        tell(facts, story, 'The record is updated.')
        return run(facts, story, 'write', { type: 'write', time })
      })
      if (may('store fails')) {
        fault('cannot store', (facts, story) => {
          tell(facts, story, 'The store fails.')
          return run(facts, story, 'fail', { type: 'fail', time })
        })
      }
    }
    if (uses[0]?.isWritten) add('has stored', (facts, story) => run(facts, story, 'store', { type: 'store', time }))
  }

  function addService({ facts: { time }, may, add, fault }: Events, request: Upstream): void {
    const { number, response } = request
    const name = `request ${number}`
    if (response) {
      add(`${name} ends`, (facts, story) => {
        const { status, wait, key } = response
        tell(facts, story, `The handler gets a ${status}.`)
        end(facts, number)
        if (status === 429) facts.knownUntil = Math.max(facts.knownUntil, time + wait)
        return run(facts, story, `respond ${number} ${key}`, { type: 'respond', time, request: number, response })
      })
      return
    }
    add(`${name} arrives`, (facts) => arrive(facts, request))
    if (may('service 429')) {
      fault(`${name} is refused`, (facts, story) => {
        tell(facts, story, 'The service refuses requests for a while.')
        facts.service = closeAt(facts.service, time)
        arrive(facts, request)
      })
    }
    if (may('gateway 503')) fault(`${name} meets a gateway`, (facts) => respond(facts, request, gatewayResponse))
    if (may('request lost')) {
      fault(`${name} is lost`, (facts, story) => {
        tell(facts, story, 'The handler loses its connection.')
        end(facts, number)
        return run(facts, story, `lose ${number}`, { type: 'lose', time, request: number })
      })
    }
  }

  function addVisits({ facts: { outcomes, time }, may, add, fault }: Events): void {
    const asked = new Set<string>()
    for (const [visit, user] of visits.entries()) {
      const outcome = outcomes[visit]
      if (outcome === 'planned' && !asked.has(user)) {
        add(`visit ${visit}`, (facts, story) => {
          tell(facts, story, `${user} asks for the list.`)
          facts.outcomes[visit] = 'pending'
          return run(facts, story, `visit ${visit}`, { type: 'visit', time, visit })
        })
      }
      if (outcome === 'planned') asked.add(user)
      if (outcome === 'pending' && may('leave')) {
        fault(`leave ${visit}`, (facts, story) => {
          tell(facts, story, `${user} leaves.`)
          facts.outcomes[visit] = 'left'
          return run(facts, story, `leave ${visit}`, { type: 'leave', time, visit })
        })
      }
    }
  }

  /** Since when each thing waits that happens by itself sooner or later. */
  const pending = ({ look, upstream }: Facts) => [
    ...(look?.uses ?? []).map(({ since }) => since),
    ...upstream.map(({ sentAt }) => sentAt),
  ]

  function addTime({ facts, add }: Events): void {
    const wakesAt = facts.look?.wakesAt ?? Infinity
    if (wakesAt === Infinity) return
    const at = Math.max(facts.time, wakesAt)
    // What waits since an earlier time is late already.
    const cost = at > facts.time ? pending(facts).filter((since) => since === facts.time).length : 0
    if (cost > 0 && (cost > facts.faults || !kinds.includes('late'))) return
    add('wakes', (changed, story) => {
      changed.faults -= cost
      changed.time = at
      return run(changed, story, 'wake', { type: 'wake', time: at })
    })
  }

  function perform(facts: Facts, act: Act, story: string[] | undefined): World | Promise<World> {
    const next = { ...facts, outcomes: [...facts.outcomes] }
    const done = act(next, story)
    return done instanceof Promise ? done.then(() => createWorld(next)) : createWorld(next)
  }

  const createWorld = (facts: Facts): World => ({
    choices: () => collect(facts),
    problem: () => facts.problem,
    state: () => {
      const { time, faults, service, code, look, outcomes, upstream, seenBy, knownUntil } = facts
      const requests = upstream.map(({ number, response, sentAt }) => `${number} ${response?.key} ${sentAt === time}`)
      const uses = look?.uses.map(({ since }) => since === time).join()
      return [
        `${time} ${faults} ${describeService(service)} ${code.key} ${uses}`,
        outcomes.join(),
        requests.join(),
        seenBy.join(),
        knownUntil > time ? knownUntil : '',
      ].join('\n')
    },
    isOver: () =>
      facts.outcomes.every((outcome) => outcome !== 'planned' && outcome !== 'pending') &&
      pending(facts).length === 0 &&
      (facts.look?.wakesAt ?? Infinity) === Infinity,
    endProblem: () => {
      const { look } = facts
      if (!look) return undefined
      if (look.waiting > 0) return 'a call still waits'
      if (look.listeners > 0) return 'the handler still listens to the store'
      const [heard] = look.heard
      return heard === undefined ? undefined : `the visit of ${visits[heard]} is still listened to`
    },
  })

  return {
    size: () => ({ states: machine.states.size, ...machine.counts() }),
    findDivergence: (options) => findDivergence(machine, options),
    start: () =>
      createWorld({
        time: begin,
        faults: maxFaults,
        problem: undefined,
        service: createSmallService(quota),
        code: machine.start(),
        look: undefined,
        outcomes: visits.map(() => 'planned'),
        upstream: [],
        seenBy: [],
        knownUntil: 0,
      }),
  }
}
