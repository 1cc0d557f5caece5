import { isReport, item, load, minute, prime, repeat, second } from './pageScripts.ts'
import type { World } from './runWorld.ts'

/** Six widgets that load at the same time. */
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

/** Five quick GETs beside a slow report, while nothing is known of the key. */
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

/** A page that ends while its request is in flight, and the next page of its tab. Each seed ends it at another time. */
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

/** Four tabs that the browser opens again at the same time. */
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

/** Pages that begin, end and come back. */
export const startWorlds: readonly World[] = [
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
  typeahead(true),
  typeahead(false),
]
