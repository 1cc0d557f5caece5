import type { Fault, RetryAfterFormat } from '../../../src/testing.ts'
import type { Priority } from './Contender.ts'
import { day, minute } from './planner.ts'
import { createRandom } from './virtualTime.ts'

/** What a scenario has to work with. */
export interface Stage {
  /** When it began (true epoch ms). */
  readonly start: number
  now(): number
  /** Until so many ms after the beginning. */
  until(ms: number): Promise<void>
  sleep(ms: number): Promise<void>
  openPage(): Page
  /** Another device of the same key takes so many units of the present windows. */
  useUp(units: number): Promise<void>
}

/** A page, with one client. Its calls never reject: how they end is noted. */
export interface Page {
  get(id: number, priority?: Priority): Promise<void>
  post(name: string, priority?: Priority): Promise<void>
  /** Reloaded or closed: what it had under way is forgotten. */
  close(): void
}

/** One call of an app, as its caller saw it. Times are true epoch ms. */
export interface CallRecord {
  readonly kind: 'get' | 'post'
  readonly startedAt: number
  readonly endedAt: number | undefined
  readonly succeeded: boolean
  /** Whether the omniscient client would have succeeded. */
  readonly couldSucceed: boolean
}

export interface Variant {
  /** Told where a scenario has several. */
  readonly name: string
  readonly retryAfter?: RetryAfterFormat
  /** By how much the clients' clock is ahead, in ms. */
  readonly skew?: number
  readonly hidden?: readonly string[]
}

export interface Scenario {
  readonly title: string
  readonly about: string
  readonly variants: readonly Variant[]
  /** When it begins: ms into the day. */
  readonly startsAt: number
  /** Whether callers would rather wait than hear of a failure. */
  readonly isPatient: boolean
  /** The most virtual time that it may take, in ms. */
  readonly atMost: number
  /** Calls that nobody can make succeed. */
  readonly isHopeless: boolean
  play(stage: Stage): Promise<void>
  /** Gives, for each run, what goes wrong with which request. */
  faults?(): (body: string) => Fault | undefined
  /** What the column of times shows, and how it is computed, in ms. */
  readonly time: { readonly title: string; of(calls: readonly CallRecord[], start: number): number }
  /** The most that our own client may take: times the ideal's, or in ms. */
  readonly bound: { readonly ratio: number } | { readonly ms: number }
}

const hour = 60 * minute
/** Well inside a minute of the service, and far from the end of its day. */
const noon = 12 * hour + 20_000
const everyHeader = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'Date']
const readable = { ratio: 1.02 }
const unsure = { ratio: 1.1 }

const last = (calls: readonly CallRecord[]) =>
  Math.max(...calls.map(({ endedAt }) => endedAt ?? Number.POSITIVE_INFINITY))
const completion: Scenario['time'] = { title: 'all settled after', of: (calls, start) => last(calls) - start }
const worstOf = (kind: CallRecord['kind']) => (calls: readonly CallRecord[]) =>
  Math.max(...calls.filter((call) => call.kind === kind).map((call) => last([call]) - call.startedAt))

const usual = {
  variants: [{ name: '' }],
  startsAt: noon,
  isPatient: true,
  atMost: 2 * hour,
  isHopeless: false,
  time: completion,
  bound: readable,
} satisfies Partial<Scenario>

const burst = (requests: number) => async (stage: Stage) => {
  const page = stage.openPage()
  await Promise.all(Array.from({ length: requests }, (_, id) => page.get(id)))
}

/** The first request of all meets a 429, since another device has used the minute up. */
const burstIntoCoolDown = async (stage: Stage) => {
  await stage.useUp(60)
  await burst(120)(stage)
}

const wrongClocks = (hidden: readonly string[]): Variant[] =>
  [90_000, -90_000].flatMap((skew) =>
    (['seconds', 'http-date'] as const).map((retryAfter) => ({
      name: `${skew / 1000} s, ${retryAfter}`,
      skew,
      retryAfter,
      hidden,
    })),
  )

export const scenarios: readonly Scenario[] = [
  {
    ...usual,
    title: '1. Burst',
    about: '300 different GETs at once, 20 s into a minute.',
    play: burst(300),
  },
  {
    ...usual,
    title: '2. Dashboard',
    about:
      'For ten minutes eight widgets each poll 5 s after their last response (more than the quota bears); a person POSTs ' +
      'once a minute, when the minute is nearly over.',
    isPatient: false,
    time: { title: 'slowest POST', of: worstOf('post') },
    bound: { ms: 1_000 },
    play: async (stage) => {
      const page = stage.openPage()
      const widget = async (id: number) => {
        while (stage.now() < stage.start + 10 * minute) {
          await page.get(id, 'background')
          await stage.sleep(5_000)
        }
      }
      const person = async (round: number) => {
        await stage.until(round * minute + 30_000)
        await page.post(`category ${round}`)
      }
      const range = (length: number) => Array.from({ length }, (_, index) => index)
      await Promise.all([...range(8).map(widget), ...range(10).map(person)])
    },
  },
  {
    ...usual,
    title: '3. Four tabs',
    about: 'Four tabs send a GET every 2 s each, together twice the quota, for five minutes.',
    play: async (stage) => {
      const tab = async () => {
        const page = stage.openPage()
        const calls: Promise<void>[] = []
        for (let round = 0; round < 150; round += 1) {
          await stage.until(round * 2_000)
          calls.push(page.get(round))
        }
        await Promise.all(calls)
      }
      await Promise.all([tab(), tab(), tab(), tab()])
    },
  },
  {
    ...usual,
    title: '4. Reloads in a cool-down',
    about:
      'The minute is used up. A page asks for three things, and is reloaded every 4 s, ten times; the last one stays.',
    isPatient: false,
    startsAt: 12 * hour + 2_000,
    play: async (stage) => {
      await stage.useUp(60)
      const load = () => {
        const page = stage.openPage()
        return { page, loaded: Promise.all([page.get(1), page.get(2), page.get(3)]) }
      }
      let current = load()
      for (let reload = 1; reload <= 10; reload += 1) {
        await stage.until(reload * 4_000)
        current.page.close()
        current = load()
      }
      await current.loaded
    },
  },
  {
    ...usual,
    title: '5. Used-up day',
    about: 'The day’s 1,000 requests are used up six hours before its end. A person POSTs; when is there a response?',
    isPatient: false,
    startsAt: 18 * hour + 20_000,
    atMost: day,
    isHopeless: true,
    time: { title: 'heard after', of: completion.of },
    bound: { ms: 1_000 },
    play: async (stage) => {
      await stage.useUp(1_000)
      await stage.openPage().post('category')
    },
  },
  {
    ...usual,
    title: '6. Hidden headers',
    about: 'The burst again, by a page of another origin to which no header is exposed.',
    variants: [{ name: '', hidden: everyHeader }],
    bound: unsure,
    play: burst(300),
  },
  {
    ...usual,
    title: '7. Wrong clock',
    about: '120 GETs into a cool-down. The clients’ clock is 90 s fast or slow; Retry-After in both forms.',
    variants: wrongClocks([]),
    bound: unsure,
    play: burstIntoCoolDown,
  },
  {
    ...usual,
    title: '7b. Wrong clock, no Date',
    about:
      'The same with a Date header that pages cannot read. A first response that holds dates alone then does not tell how ' +
      'far the minute has gone: a careful client waits a whole one, which here is 1.2 × ideal.',
    variants: wrongClocks(['Date']),
    bound: { ratio: 1.25 },
    play: burstIntoCoolDown,
  },
  {
    ...usual,
    title: '8. Malformed Retry-After',
    about: '120 GETs into a cool-down whose Retry-After is of no use.',
    variants: ['', 'soon', '-1', '2, 2', '1e3', '2026-01-01T12:01:00Z', 'Thu, 32 Jan 2026 12:61:00 GMT'].map(
      (text) => ({
        name: `"${text}"`,
        retryAfter: { text },
      }),
    ),
    play: burstIntoCoolDown,
  },
  {
    ...usual,
    title: '9. Lost responses to POSTs',
    about: 'Ten POSTs whose work is done, but whose responses get lost. What nobody repeats blindly is created once.',
    isPatient: false,
    isHopeless: true,
    faults: () => {
      const met = new Set<string>()
      return (body) => {
        if (met.has(body)) return undefined
        met.add(body)
        return { connection: 'lost-after' }
      }
    },
    play: async (stage) => {
      const page = stage.openPage()
      const calls: Promise<void>[] = []
      for (let round = 0; round < 10; round += 1) {
        await stage.until(round * 5_000)
        calls.push(page.post(`category ${round}`))
      }
      await Promise.all(calls)
    },
  },
  {
    ...usual,
    title: '10. Faults',
    about:
      '270 calls at once, every fourth a POST; one request in twenty meets a 503, a lost connection (before or after the work) or ' +
      'a cut-off body.',
    faults: () => {
      const random = createRandom(10)
      const kinds: readonly Fault[] = [
        { status: 503 },
        { connection: 'lost-before' },
        { connection: 'lost-after' },
        { body: 'malformed-json' },
      ]
      return () => (random() < 0.05 ? kinds[Math.floor(random() * kinds.length)] : undefined)
    },
    play: async (stage) => {
      const page = stage.openPage()
      const call = (index: number) => (index % 4 === 3 ? page.post(`category ${index}`) : page.get(index))
      await Promise.all(Array.from({ length: 270 }, (_, index) => call(index)))
    },
  },
]
