import type { SimulatedTab } from './simulatedTabs.ts'

interface TrafficContext {
  /** @param time - in ms since the simulation began */
  readonly sleepUntil: (time: number) => Promise<void>
  /** Calls of a tab never reject: the simulation counts how they end. */
  readonly openTab: () => SimulatedTab
}

/** Traffic that exceeds a request limit. */
export interface TrafficScenario {
  readonly title: string
  readonly description: string
  /** How long a call may wait for the request limit, in ms. Default: the client's own, 65 s. */
  readonly maxWait?: number
  /** Whether CORS hides the response headers from the page. */
  readonly hidesHeaders?: boolean
  /** Whether the key has no requests left today. */
  readonly isDayUsedUp?: boolean
  readonly run: (context: TrafficContext) => Promise<unknown>
}

const minute = 60_000
const range = (length: number) => Array.from({ length }, (_, index) => index)

async function burst({ openTab }: TrafficContext): Promise<void> {
  const tab = openTab()
  await Promise.all(range(180).map((id) => tab.get(id)))
}

async function dashboard({ sleepUntil, openTab }: TrafficContext): Promise<void> {
  const tab = openTab()
  const refetch = async (id: number, round: number) => {
    await sleepUntil(round * 5_000)
    await tab.get(id, true)
  }
  const person = async (round: number) => {
    await sleepUntil(round * minute + 30_000)
    await tab.post(`category ${round}`)
  }
  const refetches = range(60).flatMap((round) => range(8).map((id) => refetch(id, round)))
  await Promise.all([...refetches, ...range(5).map(person)])
}

async function fourTabs({ sleepUntil, openTab }: TrafficContext): Promise<void> {
  const pollEveryTwoSeconds = async () => {
    const tab = openTab()
    const calls: Promise<unknown>[] = []
    for (const round of range(90)) {
      await sleepUntil(round * 2_000)
      calls.push(tab.get(round))
    }
    await Promise.all(calls)
  }
  await Promise.all(range(4).map(pollEveryTwoSeconds))
}

async function reloads({ sleepUntil, openTab }: TrafficContext): Promise<void> {
  const loadPage = () => {
    const tab = openTab()
    return { tab, loaded: Promise.all(range(70).map((id) => tab.get(id))) }
  }
  let page = loadPage()
  for (const reload of range(10)) {
    await sleepUntil((reload + 1) * 4_000)
    page.tab.close()
    page = loadPage()
  }
  await page.loaded
}

async function saveEveryTenSeconds({ sleepUntil, openTab }: TrafficContext): Promise<void> {
  const tab = openTab()
  const save = async (round: number) => {
    await sleepUntil(round * 10_000)
    await tab.post(`category ${round}`)
  }
  await Promise.all(range(10).map(save))
}

export const trafficScenarios = {
  burst: {
    title: 'Burst',
    description: 'The page makes 180 different requests at once.',
    maxWait: Number.POSITIVE_INFINITY,
    run: burst,
  },
  dashboard: {
    title: 'Dashboard',
    description: 'Eight widgets refetch every 5\u00a0s, for five minutes. A person saves something once a minute.',
    run: dashboard,
  },
  'four-tabs': {
    title: 'Four tabs',
    description: 'Four tabs send one request each every 2\u00a0s, for three minutes.',
    maxWait: Number.POSITIVE_INFINITY,
    run: fourTabs,
  },
  reloads: {
    title: 'Reloads',
    description: 'The page makes 70 requests and is reloaded every 4\u00a0s, ten times.',
    maxWait: Number.POSITIVE_INFINITY,
    run: reloads,
  },
  'daily-limit': {
    title: 'Daily limit reached',
    description: 'On any plan, no requests are left for six hours. A person tries to save every 10\u00a0s, ten times.',
    isDayUsedUp: true,
    run: saveEveryTenSeconds,
  },
  'hidden-headers': {
    title: 'Hidden headers',
    description: 'The same burst, but the page cannot read any response header.',
    maxWait: Number.POSITIVE_INFINITY,
    hidesHeaders: true,
    run: burst,
  },
} satisfies Readonly<Record<string, TrafficScenario>>

export type TrafficScenarioName = keyof typeof trafficScenarios
