import { createRandom } from '../virtualTime.ts'
import type { Arrival, Fate } from './network.ts'
import { minute, second } from './pageScripts.ts'
import type { QuotaKind } from './service.ts'
import type { World, WorldContext } from './runWorld.ts'

/** How long the pages of a world are used, in ms. */
const duration = 3 * minute
/** In ms. Earlier calls do not count: worlds with a first visit have goals of their own. */
const firstVisitEnd = 9 * second

/** A random world: the same number gives the same world. */
export function randomWorld(number: number): World {
  const random = createRandom(number * 7_717)
  // An item that is listed twice is twice as likely. The list is never empty, so there is always an item.
  const pick = <Item>(...items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const loss = pick(0, 0, 0.02, 0.1, 0.2, 0.3, 0.4)
  const failureOf = pick<(chance: number) => Fate>(
    () => 'lost',
    () => ({ bare: 503 }),
    (chance) => (chance < loss / 2 ? 'lost' : { bare: 502 }),
  )
  const dead = pick<Fate | undefined>(undefined, undefined, ...deadFates)
  const use: Use = {
    tabs: pick(1, 1, 2, 4),
    widgets: pick(1, 3, 6),
    widgetsEvery: pick(5, 10, 20, 30) * second,
    clickEvery: pick(Infinity, 2 * second, 5 * second),
    deadHooks: dead === undefined ? 0 : pick(1, 2, 3),
    deadEvery: pick(Infinity, 5 * second, 20 * second),
    reloadEvery: pick(Infinity, Infinity, 15 * second, 40 * second),
  }
  const timeout = pick(undefined, 10 * second)
  const service = {
    limit: pick(60, 60, 120, 300),
    quota: pick<QuotaKind>('fixed minutes', 'fixed minutes', 'sliding minute', 'token bucket'),
    serviceAhead: pick(0, 0, 600, -600, 90) * second,
    latency: pick<readonly [number, number]>([80, 120], [20, 40], [300, 300], [100, 900], [2_000, 4_000]),
  }
  const fates = { loss, failure: failureOf(0), dead }
  return {
    ...service,
    ...(timeout !== undefined && { timeout }),
    name: `random ${number}`,
    about: JSON.stringify({ ...service, timeout, ...use, ...fates }),
    seeds: 1,
    fateOf: ({ address, chance }: Arrival) => {
      if (address.startsWith('/reports/')) return dead
      return chance < loss ? failureOf(chance) : undefined
    },
    goal: { p50: 5, p95: loss >= 0.4 ? 2 * second : loss > 0 ? second : 50 },
    run: (context) => openTabs(context, use),
  }
}

const deadFates: readonly Fate[] = [
  { bare: 502 },
  'lost',
  'hangs',
  { status: 404, retryAfter: 600 },
  { status: 503, retryAfter: 600 },
  { status: 500 },
]

/** What the pages of a world do. Times in ms; `Infinity`: never. */
interface Use {
  readonly tabs: number
  /** How many widgets load at the same time. */
  readonly widgets: number
  readonly widgetsEvery: number
  readonly clickEvery: number
  /** How many hooks call an address under `/reports/` that always fails. */
  readonly deadHooks: number
  readonly deadEvery: number
  readonly reloadEvery: number
}

async function openTabs({ until, openPage }: WorldContext, use: Use): Promise<void> {
  async function openTab(tab: number): Promise<void> {
    let page = openPage()
    const events: { readonly at: number; readonly happen: () => void }[] = []
    const schedule = (from: number, every: number, happen: (at: number) => void) => {
      for (let at = 700 * tab + from; at < duration; at += every) events.push({ at, happen: () => happen(at) })
    }
    const get = (name: string, at: number) => page.get(`/items/${name}-${tab}-${at}`, { isCounted: at > firstVisitEnd })
    schedule(0, use.widgetsEvery, (at) => {
      for (let widget = 0; widget < use.widgets; widget += 1) get(`widget-${widget}`, at)
    })
    if (use.clickEvery < Infinity) schedule(1_111, use.clickEvery, (at) => get('click', at))
    schedule(2_222, use.deadEvery, () => {
      for (let hook = 0; hook < use.deadHooks; hook += 1) page.get(`/reports/${hook}`)
    })
    schedule(use.reloadEvery, use.reloadEvery, () => {
      page.close()
      page = openPage()
    })
    for (const { at, happen } of events.toSorted((one, other) => one.at - other.at)) {
      await until(at)
      happen()
    }
  }
  await Promise.all(Array.from({ length: use.tabs }, (_, tab) => openTab(tab)))
}
