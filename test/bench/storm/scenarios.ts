import type { Fault } from '../../../src/testing.ts'
import type { Priority } from './Contender.ts'
import { day, minute, perDay, perMinute } from './planner.ts'
import type { Outcome } from './runScenario.ts'
import { createRandom } from '../virtualTime.ts'

/** What a scenario can do. */
export interface ScenarioContext {
  /** When it started (true epoch ms). */
  readonly start: number
  readonly now: () => number
  /** Resolves at that time, in ms after the start. */
  readonly until: (ms: number) => Promise<void>
  readonly sleep: (ms: number) => Promise<void>
  /** @param options - default: as the scenario */
  readonly openPage: (options?: Pick<Scenario, 'waitsForever'>) => Page
  /** Spends units of the current windows, as another device with the same key would. */
  readonly useUp: (units: number) => Promise<void>
}

/** A page with one client. Its calls never reject: the run records their outcome. */
export interface Page {
  readonly get: (id: number, priority?: Priority) => Promise<void>
  readonly post: (name: string, priority?: Priority) => Promise<void>
  /** Closes or reloads the page. Its calls in flight do not count. */
  readonly close: () => void
}

/** One call of an app, and its outcome. Times are true epoch ms. */
export interface CallRecord {
  readonly kind: 'get' | 'post'
  readonly startedAt: number
  readonly endedAt: number | undefined
  readonly succeeded: boolean
  /** Whether any client could make it succeed: see `cannotSucceed`. After a fault, no client may repeat a POST. */
  readonly couldSucceed: boolean
}

export interface Variant {
  /** Empty if the scenario has one variant. */
  readonly name: string
  /** The text of every Retry-After. Default: whole seconds. */
  readonly retryAfter?: string
  /** By how much the clients' clock is ahead of true time, in ms. */
  readonly skew?: number
  readonly hiddenHeaders?: readonly string[]
  /** How long the body of a 429 takes after its head, in ms; `Infinity`: it never ends. */
  readonly refusalBody?: number
  /** Whether pages see refusals as network errors. */
  readonly hidesRefusals?: boolean
}

/** A column with a check of one scenario alone: `kept` of `all` calls pass. With petstore-react, all have to. */
export interface ExtraColumn {
  readonly title: string
  readonly of: (outcome: Outcome) => { readonly kept: number; readonly all: number }
}

export interface Scenario {
  readonly title: string
  readonly about: string
  readonly variants: readonly Variant[]
  /** The time of day at which it starts, in ms. */
  readonly startsAt: number
  /** Whether the app accepts any wait rather than an error. */
  readonly waitsForever: boolean
  /** The longest virtual time that it may take, in ms. */
  readonly maxDuration: number
  /** Whether its calls fail with every client, even the ideal one. */
  readonly cannotSucceed: boolean
  readonly run: (context: ScenarioContext) => Promise<void>
  /** Called for each run. Returns the function that decides which requests fail, and how. */
  readonly faults?: () => (body: string) => Fault | undefined
  /** The column of times: its title, and its value in ms. */
  readonly time: { readonly title: string; readonly of: (calls: readonly CallRecord[], start: number) => number }
  /** The longest time that petstore-react may take: as a multiple of the ideal client's, or in ms. */
  readonly bound: { readonly ratio: number } | { readonly ms: number }
  /** How many avoidable failures petstore-react may have in all variants. */
  readonly maxFailures: number
  readonly extraColumn?: ExtraColumn
}

const hour = 60 * minute
/** 20 s into a minute of the service, and far from the end of its day. */
const noon = 12 * hour + 20_000
const everyHeader = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'Date']
/** How much longer than the ideal client a run may take. Loose: pages read no header, or have a wrong clock. */
const tightBound = { ratio: 1.02 }
const looseBound = { ratio: 1.1 }

const lastEnd = (calls: readonly CallRecord[]) =>
  Math.max(...calls.map(({ endedAt }) => endedAt ?? Number.POSITIVE_INFINITY))
const completion: Scenario['time'] = { title: 'all finished after', of: (calls, start) => lastEnd(calls) - start }
const longestOf = (kind: CallRecord['kind']) => (calls: readonly CallRecord[]) =>
  Math.max(...calls.filter((call) => call.kind === kind).map((call) => lastEnd([call]) - call.startedAt))

const defaults = {
  variants: [{ name: '' }],
  startsAt: noon,
  waitsForever: true,
  maxDuration: 2 * hour,
  cannotSucceed: false,
  time: completion,
  bound: tightBound,
  maxFailures: 0,
} satisfies Partial<Scenario>

const burst = (requests: number) => async (context: ScenarioContext) => {
  const page = context.openPage()
  await Promise.all(Array.from({ length: requests }, (_, id) => page.get(id)))
}

/** The first request gets a 429, because another device has used up the minute. */
const burstIntoCooldown = async (context: ScenarioContext) => {
  await context.useUp(perMinute)
  await burst(120)(context)
}

const wrongClocks = (hiddenHeaders: readonly string[]): Variant[] =>
  [90_000, -90_000].flatMap((skew) =>
    (['seconds', 'http-date'] as const).map((retryAfter) => ({
      name: `${skew / 1000} s, ${retryAfter}`,
      skew,
      retryAfter,
      hiddenHeaders,
    })),
  )

/** How many POSTs succeeded in the window in which they began, or in the next one if that window was used up. */
function completedInTime({ calls, exchanges }: Outcome): ReturnType<ExtraColumn['of']> {
  const windowOf = (time: number) => Math.floor(time / minute)
  const posts = calls.filter(({ kind }) => kind === 'post')
  const kept = posts.filter(({ startedAt, endedAt, succeeded }) => {
    const used = exchanges.filter(
      ({ sentAt, isRefused }) => windowOf(sentAt) === windowOf(startedAt) && sentAt <= startedAt && !isRefused,
    )
    const window = windowOf(startedAt) + (used.length < perMinute ? 0 : 1)
    return succeeded && endedAt !== undefined && windowOf(endedAt) <= window
  })
  return { kept: kept.length, all: posts.length }
}

export const scenarios: readonly Scenario[] = [
  {
    ...defaults,
    title: '1. Burst',
    about: '300 different GETs at once, 20 s into a minute.',
    run: burst(300),
  },
  {
    ...defaults,
    title: '2. Dashboard',
    about:
      'For ten minutes eight widgets each poll 5 s after their last response, which exceeds the quota. A user POSTs once ' +
      'a minute, shortly before its end.',
    waitsForever: false,
    time: { title: 'slowest POST', of: longestOf('post') },
    bound: { ms: 1_000 },
    run: async (context) => {
      const page = context.openPage()
      const widget = async (id: number) => {
        while (context.now() < context.start + 10 * minute) {
          await page.get(id, 'background')
          await context.sleep(5_000)
        }
      }
      const user = async (round: number) => {
        await context.until(round * minute + 30_000)
        await page.post(`category ${round}`)
      }
      const range = (length: number) => Array.from({ length }, (_, index) => index)
      await Promise.all([...range(8).map(widget), ...range(10).map(user)])
    },
  },
  {
    ...defaults,
    title: '3. Four tabs',
    about: 'Four tabs send a GET every 2 s each, together twice the quota, for five minutes.',
    run: async (context) => {
      const tab = async () => {
        const page = context.openPage()
        const calls: Promise<void>[] = []
        for (let round = 0; round < 150; round += 1) {
          await context.until(round * 2_000)
          calls.push(page.get(round))
        }
        await Promise.all(calls)
      }
      await Promise.all([tab(), tab(), tab(), tab()])
    },
  },
  {
    ...defaults,
    title: '4. Reloads in a cool-down',
    about:
      'The minute is used up. A page sends three GETs and is reloaded every 4 s, ten times; the last one stays open.',
    waitsForever: false,
    startsAt: 12 * hour + 2_000, // early in the minute: all ten reloads come before it ends
    run: async (context) => {
      await context.useUp(perMinute)
      const load = () => {
        const page = context.openPage()
        return { page, loaded: Promise.all([page.get(1), page.get(2), page.get(3)]) }
      }
      let current = load()
      for (let reload = 1; reload <= 10; reload += 1) {
        await context.until(reload * 4_000)
        current.page.close()
        current = load()
      }
      await current.loaded
    },
  },
  {
    ...defaults,
    title: '5. Used-up day',
    about:
      'The day’s 1,000 requests are used up six hours before its end. A user POSTs: how soon does the app get the error?',
    waitsForever: false,
    startsAt: 18 * hour + 20_000,
    maxDuration: day,
    cannotSucceed: true,
    time: { title: 'rejected after', of: completion.of },
    bound: { ms: 1_000 },
    run: async (context) => {
      await context.useUp(perDay)
      await context.openPage().post('category')
    },
  },
  {
    ...defaults,
    title: '6. Hidden headers',
    about: 'The burst by a page of another origin, to which no header is exposed.',
    variants: [{ name: '', hiddenHeaders: everyHeader }],
    bound: looseBound,
    run: burst(300),
  },
  {
    ...defaults,
    title: '7. Wrong clock',
    about: '120 GETs in a cool-down. The clients’ clock is 90 s fast or slow; Retry-After has both forms.',
    variants: wrongClocks([]),
    bound: looseBound,
    run: burstIntoCooldown,
  },
  {
    ...defaults,
    title: '7b. Wrong clock, no Date',
    about:
      'The same with a Date header that pages cannot read. Where Retry-After is a date, the first response has only times of a ' +
      'clock that may be wrong: a careful client waits a whole minute, which is 1.2 × ideal here.',
    variants: wrongClocks(['Date']),
    bound: { ratio: 1.25 },
    run: burstIntoCooldown,
  },
  {
    ...defaults,
    title: '8. Malformed Retry-After',
    about: '120 GETs in a cool-down whose Retry-After is invalid.',
    variants: ['', 'soon', '-1', '2, 2', '1e3', '2026-01-01T12:01:00Z', 'Thu, 32 Jan 2026 12:61:00 GMT'].map(
      (text) => ({ name: `"${text}"`, retryAfter: text }),
    ),
    run: burstIntoCooldown,
  },
  {
    ...defaults,
    title: '9. Lost responses to POSTs',
    about: 'Ten POSTs that the service handles, but whose responses are lost. Clients must not repeat them.',
    waitsForever: false,
    cannotSucceed: true,
    faults: () => {
      const lost = new Set<string>()
      return (body) => {
        if (lost.has(body)) return undefined
        lost.add(body)
        return { connection: 'lost-after' }
      }
    },
    run: async (context) => {
      const page = context.openPage()
      const calls: Promise<void>[] = []
      for (let round = 0; round < 10; round += 1) {
        await context.until(round * 5_000)
        calls.push(page.post(`category ${round}`))
      }
      await Promise.all(calls)
    },
  },
  {
    ...defaults,
    title: '10. Faults',
    about:
      '270 calls at once, every fourth a POST. One request in twenty gets a 503, a lost connection (before or after the ' +
      'service handles it) or a cut-off body.',
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
    run: async (context) => {
      const page = context.openPage()
      const call = (index: number) => (index % 4 === 3 ? page.post(`category ${index}`) : page.get(index))
      await Promise.all(Array.from({ length: 270 }, (_, index) => call(index)))
    },
  },
  {
    ...defaults,
    title: '11. Slow bodies of 429s',
    about:
      'Two tabs send a GET every second each, for a minute. After 5 s another device uses up the minute. The head of a ' +
      '429 comes at once, its body 5 s later or never.',
    variants: [
      { name: '5 s', refusalBody: 5_000 },
      { name: 'never', refusalBody: Number.POSITIVE_INFINITY },
    ],
    run: async (context) => {
      const otherDevice = async () => {
        await context.until(5_250)
        await context.useUp(perMinute - 11) // the tabs have sent 11 requests by then
      }
      const tab = async (offset: number) => {
        const page = context.openPage()
        const calls: Promise<void>[] = []
        for (let round = 0; round < 60; round += 1) {
          await context.until(offset + round * 1_000)
          calls.push(page.get(2 * round + (offset > 0 ? 1 : 0)))
        }
        await Promise.all(calls)
      }
      await Promise.all([otherDevice(), tab(0), tab(500)])
    },
  },
  {
    ...defaults,
    title: '12. Hidden 429s',
    about:
      'The minute is used up. A page of another origin makes 30 calls at once, every fifth a POST. Its 429s have no CORS ' +
      'headers, so it sees network errors. Successes show their headers in one run, and hide them in the other.',
    variants: [
      { name: 'headers of successes readable', hidesRefusals: true },
      { name: 'no header readable', hidesRefusals: true, hiddenHeaders: everyHeader },
    ],
    // The next minute starts after 40 s. The circuit breaker may pause for a minute from just before that.
    bound: { ms: 105_000 },
    // In each variant, one call may use up its three attempts before the circuit breaker opens.
    maxFailures: 2,
    run: async (context) => {
      await context.useUp(perMinute)
      const page = context.openPage()
      const call = (index: number) => (index % 5 === 4 ? page.post(`category ${index}`) : page.get(index))
      await Promise.all(Array.from({ length: 30 }, (_, index) => call(index)))
    },
  },
  {
    ...defaults,
    title: '14. Bulk tabs beside a person',
    about:
      'Three tabs make 200 GETs at once each, with the default priority, and accept any wait. In a fourth tab a person POSTs ' +
      'every 10 s for ten minutes, and accepts the default wait.',
    waitsForever: false,
    time: { title: 'longest wait of the person', of: longestOf('post') },
    bound: { ms: 62_000 },
    extraColumn: { title: 'completed in the first window with a unit left', of: completedInTime },
    run: async (context) => {
      const bulk = Array.from({ length: 3 }, () => {
        const page = context.openPage({ waitsForever: true })
        return Array.from({ length: 200 }, (_, id) => page.get(id))
      })
      const person = context.openPage()
      const posts: Promise<void>[] = []
      for (let round = 0; round < 60; round += 1) {
        await context.until(round * 10_000 + 2_500) // never when a minute starts
        posts.push(person.post(`category ${round}`))
      }
      await Promise.all([...bulk.flat(), ...posts])
    },
  },
]
