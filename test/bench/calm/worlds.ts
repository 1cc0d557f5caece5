import type { Arrival } from './network.ts'
import type { QuotaKind } from './service.ts'
import { type Goal, randomOf, type World, type WorldContext, type WorldPage } from './runWorld.ts'

const second = 1_000
const minute = 60 * second

/** What nobody notices: G23 of the gate. */
const unnoticed: Goal = { p50: 5, p95: 50 }

/** Far above what a world uses. */
const ample = 300

const isReport = ({ address }: Arrival) => address.startsWith('/reports/')
const item = (id: number) => `/items/${id % 10}`

/** Makes a call in each interval, from one time to another (ms after the start). */
async function repeat(
  { until }: WorldContext,
  { from = 0, to, every }: { readonly from?: number; readonly to: number; readonly every: number },
  call: (round: number) => void,
): Promise<void> {
  for (let round = 0; from + round * every < to; round += 1) {
    await until(from + round * every)
    call(round)
  }
}

/** Calls healthy addresses, by default one a second, each time another one. */
const flow = (context: WorldContext, page: WorldPage, to: number, every = second) =>
  repeat(context, { to, every }, (round) => page.get(`/items/${round}`))

function load(page: WorldPage, widgets: number): void {
  for (let id = 0; id < widgets; id += 1) page.get(item(id))
}

/** Makes the key and its window known. */
function prime(page: WorldPage, calls = 1): void {
  for (let id = 0; id < calls; id += 1) page.get(item(id), { isCounted: false })
}

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

/** A flow of one call a second of which some fail. */
const lossy = (kind: 'bare 503' | 'lost connection', percent: number, p95: number): World => ({
  name: `${kind}, ${percent} %`,
  about: `1 call/s for 10 minutes. ${percent} % of the requests end so.`,
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

/** Visitors behind the handler on a server. */
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

/** A dead address is called more often than all others. */
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

/** Six widgets that load with a page, responses take 300 ms. */
const sixWidgets: readonly World[] = [
  {
    name: 'six widgets, the last window ended with units left',
    about: 'A page uses 13 units of a minute. One, three or ten minutes later a new page loads. Responses take 300 ms.',
    latency: [300, 300],
    goal: { ratio: 1.1 },
    run: async (context) => {
      const { seed, untilMinute } = context
      const first = context.openPage()
      await untilMinute(1, 5 * second)
      prime(first, 3)
      await untilMinute(1, 20 * second)
      prime(first, 10)
      await untilMinute(1, 40 * second)
      first.close()
      await untilMinute(1 + ([1, 3, 10][seed - 1] ?? 1), 5 * second)
      load(context.openPage(), 6)
    },
  },
  {
    name: 'six widgets that poll every 20 s',
    about: 'For 5 minutes, all at the same time, after one call has made the key known. Responses take 300 ms.',
    latency: [300, 300],
    goal: { ratio: 1.1 },
    run: async (context) => {
      const page = context.openPage()
      prime(page)
      await repeat(context, { from: 3 * second, to: 5 * minute, every: 20 * second }, () => load(page, 6))
    },
  },
  {
    name: 'six widgets, first visit',
    about: 'Nothing is known of the key. Responses take 300 ms.',
    latency: [300, 300],
    goal: { ratio: 2.1, max: second },
    run: async (context) => load(context.openPage(), 6),
  },
  {
    name: 'six widgets, first visit, slow bodies',
    about: 'Nothing is known of the key. The head of each response takes 100 ms, its body 5 s.',
    fateOf: () => ({ body: 5 * second }),
    goal: { max: 200 },
    run: async (context) => load(context.openPage(), 6),
  },
]

/** Five quick GETs beside a slow report, nothing known yet. */
const slowReport = (name: string, head: number): World => ({
  name: `five quick GETs beside a report that ${name}, first visit`,
  about: 'The report is called first.',
  fateOf: (arrival) => {
    if (!isReport(arrival)) return undefined
    return head === Infinity ? 'hangs' : { head }
  },
  goal: { max: 2 * second },
  run: async (context) => {
    const page = context.openPage()
    page.get('/reports/1')
    await context.until(10)
    load(page, 5)
  },
})

/** A page that ends while its request is out, and the next one. One run for each time of the reload. */
const reload = (known: 'first visit' | 'known window' | 'next window', isCrash: boolean): World => ({
  name: `${isCrash ? 'crash' : 'reload'} during a request, ${known}`,
  about: 'The page ends 0, 30, … 240 ms after its request has left. Responses take 600 ms.',
  latency: [600, 600],
  seeds: 9,
  goal: { max: isCrash ? 2 * second : 100 },
  run: async (context) => {
    const { seed, untilMinute } = context
    await untilMinute(1, 5 * second)
    if (known !== 'first visit') {
      const earlier = context.openPage()
      prime(earlier, 3)
      await untilMinute(1, 8 * second)
      earlier.close()
    }
    const at = (ms: number) => untilMinute(known === 'next window' ? 2 : 1, 10 * second + ms)
    await at(0)
    const page = context.openPage()
    page.get(item(1))
    await at(30 * (seed - 1))
    page.close({ isCrash })
    await at(30 * (seed - 1) + 20)
    context.openPage().get(item(1))
  },
})

/** All tabs of a window that the browser opens again. */
const restoredTabs = (isKnown: boolean): World => ({
  name: `four restored tabs with two widgets each${isKnown ? ', the last window ended' : ', first visit'}`,
  about: 'All load at the same time. Responses take 300 ms.',
  latency: [300, 300],
  goal: isKnown ? { ratio: 1.1 } : { ratio: 2.1, max: second },
  run: async ({ untilMinute, openPage }) => {
    await untilMinute(1, 5 * second)
    if (isKnown) prime(openPage(), 3)
    await untilMinute(2, 5 * second)
    for (let tab = 0; tab < 4; tab += 1) load(openPage(), 2)
  },
})

const wifi: World = {
  name: 'wifi back after 36 s',
  about: 'A page calls every 3 s. All requests fail from 20 s to 56 s. Then `online` comes, and six calls.',
  goal: { max: 100 },
  run: async (context) => {
    const page = context.openPage()
    const cut = async () => {
      await context.until(20 * second)
      context.setOnline(false)
      await context.until(56 * second)
      context.setOnline(true)
      load(page, 6)
    }
    await Promise.all([
      cut(),
      repeat(context, { from: second / 2, to: 2 * minute, every: 3 * second }, (round) => page.get(`/items/p${round}`)),
    ])
  },
}

const typeahead = (isKnown: boolean): World => ({
  name: `typeahead${isKnown ? '' : ', first visit'}`,
  about: '12 keys, one each 150 ms, each aborts the search before. Responses take 5 s. The last search counts.',
  fateOf: () => ({ head: 5 * second }),
  goal: { max: isKnown ? 50 : 2 * second },
  run: async (context) => {
    const page = context.openPage()
    if (isKnown) prime(page)
    let controller = new AbortController()
    await repeat(context, { from: 10 * second, to: 10 * second + 12 * 150, every: 150 }, (round) => {
      controller.abort()
      controller = new AbortController()
      page.get(`/search/${'x'.repeat(round + 1)}`, { signal: controller.signal })
    })
  },
})

/** Calls alone and in small bursts, about 40 a minute. */
async function ordinaryUse(context: WorldContext): Promise<void> {
  const page = context.openPage()
  const random = randomOf(context)
  await repeat(context, { to: 5 * minute, every: 2 * second }, (round) => {
    page.get(`/items/each-${round}`)
    if (round % 15 === 14) load(page, 3 + Math.floor(random() * 4))
  })
}

const ordinary = (name: string, about: string, options: Partial<World>): World => ({
  name,
  about: `One call every 2 s, and a burst of three to six every 30 s, for 5 minutes. ${about}`,
  goal: unnoticed,
  run: ordinaryUse,
  ...options,
})

const failing = (percent: number): World =>
  ordinary(`500 with headers, ${percent} %`, 'The service counts these requests.', {
    fateOf: ({ chance }) => (chance < percent / 100 ? { status: 500 } : undefined),
  })

const healthy: readonly World[] = [
  ordinary('healthy', '', {}),
  {
    name: 'healthy, 1 call/s',
    about: 'For 10 minutes, which is all that the limit allows.',
    goal: unnoticed,
    run: async (context) => flow(context, context.openPage(), 10 * minute),
  },
  ordinary('slow responses with headers', 'Responses take 3 to 5 s.', { latency: [3_000, 5_000] }),
  ...[10, 20, 40].map(failing),
  ordinary('sliding quota', '', { quota: 'sliding minute' }),
  ordinary('token bucket', '', { quota: 'token bucket' }),
  ordinary('no header readable', 'As without CORS headers.', { hidesHeaders: true }),
  ordinary('no header readable, bare 503, 10 %', 'As without CORS headers.', {
    hidesHeaders: true,
    fateOf: ({ chance }) => (chance < 0.1 ? { bare: 503 } : undefined),
    goal: { p95: second },
  }),
  ordinary('service clock 10 min ahead', '', { serviceAhead: 10 * minute }),
  ordinary('service clock 10 min behind', '', { serviceAhead: -10 * minute }),
  typeahead(true),
  typeahead(false),
  {
    name: 'four tabs',
    about: 'Each is loaded with two widgets, and calls every 6 s, for 5 minutes.',
    goal: unnoticed,
    run: async (context) => {
      const tab = async (index: number) => {
        await context.until(index * 1_500)
        const page = context.openPage()
        await repeat(context, { from: index * 1_500, to: 5 * minute, every: 6 * second }, (round) => {
          page.get(`/items/${index}-${round}`)
          if (round === 0) page.get(`/items/${index}-first`)
        })
      }
      await Promise.all([0, 1, 2, 3].map(tab))
    },
  },
]

export const worlds: readonly World[] = [
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
  ...sixWidgets,
  slowReport('takes 25 s', 25 * second),
  slowReport('never responds', Infinity),
  restoredTabs(true),
  restoredTabs(false),
  wifi,
  ...(['first visit', 'known window', 'next window'] as const).flatMap((known) => [
    reload(known, false),
    reload(known, true),
  ]),
  {
    ...reload('first visit', false),
    name: 'reload during a request, first visit, no Web Locks',
    hasLocks: false,
    goal: { max: 2 * second },
  },
  ...healthy,
]
