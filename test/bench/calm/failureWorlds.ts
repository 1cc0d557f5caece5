import type { QuotaKind } from './service.ts'
import { ample, flow, isReport, item, load, minute, prime, repeat, second, unnoticed } from './pageScripts.ts'
import type { Goal, World } from './runWorld.ts'

/** A page load with hooks on a dead address and on healthy ones; then a click every 2 s. */
const deadHooks = (hooks: number, isKnown: boolean, goal: Goal): World => ({
  name: `${hooks} of ${hooks + 5} hooks on a dead address${isKnown ? '' : ', first visit'}`,
  about: 'The dead address responds with a bare 502. A page loads all hooks, then a person clicks every 2 s.',
  fateOf: (arrival) => (isReport(arrival) ? { bare: 502 } : undefined),
  goal,
  run: async (context) => {
    const page = context.openPage()
    if (isKnown) prime(page)
    await context.until(5 * second)
    for (let id = 0; id < hooks; id += 1) page.get(`/reports/${id}`)
    load(page, 5)
    await repeat(context, { from: 7 * second, to: 185 * second, every: 2 * second }, (round) => page.get(item(round)))
  },
})

/** One call a second, of which some fail. */
const lossy = (kind: 'bare 503' | 'lost connection', percent: number, p95: number): World => ({
  name: `${kind}, ${percent} %`,
  about: `1 call/s for 10 minutes. ${percent} % of the requests end with a ${kind}.`,
  limit: ample,
  fateOf: ({ chance }) => {
    if (chance >= percent / 100) return undefined
    return kind === 'bare 503' ? { bare: 503 } : 'lost'
  },
  goal: { p95 },
  run: async (context) => flow(context, context.openPage(), 10 * minute),
})

/** `Retry-After: 600` on one address. */
const retryAfterOn = (status: 404 | 503): World => ({
  name: `Retry-After: 600 on the ${status} of one address`,
  about: 'The address is called each minute, others 0.5/s, for 15 minutes.',
  fateOf: (arrival) => (isReport(arrival) ? { status, retryAfter: 600 } : undefined),
  goal: unnoticed,
  run: async (context) => {
    const page = context.openPage()
    await Promise.all([
      repeat(context, { from: 5_500, to: 15 * minute, every: minute }, () => page.get('/reports/1')),
      flow(context, page, 15 * minute, 2 * second),
    ])
  },
})

/** Four visitors behind the handler on a server, of whom one calls dead addresses. */
const visitors = (fate: 'bare 502' | 'no response'): World => ({
  name: `behind the handler, one visitor on an address with ${fate}`,
  about: 'The visitor sends 1/s there, three others 0.5/s to healthy addresses, for 5 minutes.',
  hasHandler: true,
  limit: ample,
  fateOf: (arrival) => {
    if (!isReport(arrival)) return undefined
    return fate === 'bare 502' ? { bare: 502 } : 'hangs'
  },
  goal: unnoticed,
  run: async (context) => {
    const [one, ...others] = Array.from({ length: 4 }, context.openPage)
    await Promise.all([
      repeat(context, { to: 5 * minute, every: second }, (round) => one?.get(`/reports/${round}`)),
      ...others.map((page, index) =>
        repeat(context, { from: 250 * (index + 1), to: 5 * minute, every: 2 * second }, (round) =>
          page.get(`/items/${index}-${round}`),
        ),
      ),
    ])
  },
})

/** A dead address gets most of the calls, at least at first. */
const mostlyDead: readonly World[] = [
  {
    name: 'three hooks on a dead address, others 28 s later',
    about: 'The dead address responds with a bare 502. A page loads its hooks once, and three healthy ones every 30 s.',
    fateOf: (arrival) => (isReport(arrival) ? { bare: 502 } : undefined),
    goal: unnoticed,
    run: async (context) => {
      const page = context.openPage()
      prime(page)
      const loadDead = async () => {
        await context.until(2 * second)
        for (let id = 0; id < 3; id += 1) page.get(`/reports/${id}`)
      }
      await Promise.all([
        loadDead(),
        repeat(context, { from: 30 * second, to: 3 * minute, every: 30 * second }, () => load(page, 3)),
      ])
    },
  },
  {
    name: 'four tabs poll a dead address every 5 s, and another one every 10 s',
    about: 'The connection to the dead address is lost. For 3 minutes.',
    // The kit has to assume that the service counted a lost request: four tabs would use up a limit of 60.
    limit: ample,
    fateOf: (arrival) => (isReport(arrival) ? 'lost' : undefined),
    goal: unnoticed,
    run: async (context) => {
      prime(context.openPage())
      const tab = async (index: number) => {
        const page = context.openPage()
        const from = second * (1 + 0.7 * index)
        await Promise.all([
          repeat(context, { from: from + 2 * second, to: 3 * minute, every: 5 * second }, () => page.get('/reports/1')),
          repeat(context, { from, to: 3 * minute, every: 10 * second }, (round) =>
            page.get(`/items/${index}-${round}`),
          ),
        ])
      }
      await Promise.all([0, 1, 2, 3].map(tab))
    },
  },
]

/** A short failure of everything in a busy flow. */
const blip = (kind: 'bare 503' | 'lost connection', length: number, quota: QuotaKind = 'fixed minutes'): World => ({
  name: `${kind} for ${length / second} s, ${quota}, 2.4 calls/s from four tabs`,
  about: 'The failure begins after a minute. For 5 minutes. Responses take 300 ms.',
  limit: ample,
  quota,
  latency: [300, 300],
  fateOf: ({ at }) => {
    if (at < minute || at >= minute + length) return undefined
    return kind === 'bare 503' ? { bare: 503 } : 'lost'
  },
  goal: { p95: 50, max: 5 * second },
  run: async (context) => {
    const tab = async (index: number) => {
      await context.until(700 * index)
      const page = context.openPage()
      await Promise.all([
        repeat(context, { from: 700 * index, to: 5 * minute, every: 2 * second }, (round) =>
          page.get(`/items/click-${index}-${round}`),
        ),
        repeat(context, { from: 700 * index + 300, to: 5 * minute, every: 10 * second }, (round) =>
          page.get(`/items/poll-${index}-${round}`),
        ),
      ])
    }
    await Promise.all([0, 1, 2, 3].map(tab))
  },
})

/** Something fails, and the rest of the key works. */
export const failureWorlds: readonly World[] = [
  deadHooks(1, true, unnoticed),
  deadHooks(2, true, unnoticed),
  deadHooks(4, true, { p95: second }),
  deadHooks(2, false, { p95: second }),
  {
    name: 'one address responds 502 and is polled every 5 s',
    about: '1 call/s elsewhere, for 10 minutes.',
    limit: ample,
    fateOf: (arrival) => (isReport(arrival) ? { bare: 502 } : undefined),
    goal: { max: 50 },
    run: async (context) => {
      const page = context.openPage()
      await Promise.all([
        repeat(context, { from: 2_500, to: 10 * minute, every: 5 * second }, () => page.get('/reports/1')),
        flow(context, page, 10 * minute),
      ])
    },
  },
  ...mostlyDead,
  blip('bare 503', 5_000),
  blip('bare 503', 1_200, 'token bucket'),
  blip('lost connection', 5_000),
  ...[20, 30, 40].map((percent) => lossy('bare 503', percent, percent < 40 ? 200 : 2 * second)),
  ...[20, 30, 40].map((percent) => lossy('lost connection', percent, percent < 40 ? 200 : 2 * second)),
  {
    name: 'four reports that hang, timeout 10 s',
    about: '1 call/s elsewhere, for 3 minutes. The reports are called after 5 s.',
    limit: ample,
    timeout: 10 * second,
    fateOf: (arrival) => (isReport(arrival) ? 'hangs' : undefined),
    goal: unnoticed,
    run: async (context) => {
      const page = context.openPage()
      const reports = async () => {
        await context.until(5_500)
        for (let id = 0; id < 4; id += 1) page.get(`/reports/${id}`)
      }
      await Promise.all([reports(), flow(context, page, 3 * minute)])
    },
  },
  retryAfterOn(404),
  retryAfterOn(503),
  visitors('bare 502'),
  visitors('no response'),
]
