import type { PetstoreService } from '../../src/testing.ts'

/** A page of the app that is put to the test. Calls never reject: how they end is counted. */
export interface Tab {
  readonly get: (id: number, isBackground?: boolean) => Promise<void>
  readonly post: (name: string) => Promise<void>
  /** Closed or reloaded: what it had under way is forgotten. */
  readonly close: () => void
}

/** What a storm has to work with. Times are ms since its beginning. */
export interface Stage {
  readonly now: () => number
  readonly until: (time: number) => Promise<void>
  readonly openTab: () => Tab
}

/** A way of asking too much. */
export interface Storm {
  readonly title: string
  readonly about: string
  /** Whether callers wait for as long as it takes, instead of for 65 s at most. */
  readonly isPatient?: boolean
  readonly hidesHeaders?: boolean
  readonly prepare?: (service: PetstoreService, now: number) => void
  readonly play: (stage: Stage) => Promise<unknown>
}

const minute = 60_000
const range = (length: number) => Array.from({ length }, (_, index) => index)

const burst = ({ openTab }: Stage) => {
  const tab = openTab()
  return Promise.all(range(180).map((id) => tab.get(id)))
}

export const storms = {
  burst: {
    title: 'Burst',
    about: '180 different requests at once.',
    isPatient: true,
    play: burst,
  },
  dashboard: {
    title: 'Dashboard',
    about: 'Eight widgets ask anew 5 s after each response, for five minutes; a person saves something once a minute.',
    play: ({ now, until, openTab }) => {
      const tab = openTab()
      const widget = async (id: number) => {
        while (now() < 5 * minute) {
          await tab.get(id, true)
          await until(now() + 5_000)
        }
      }
      const person = async (round: number) => {
        await until(round * minute + 30_000)
        await tab.post(`category ${round}`)
      }
      return Promise.all([...range(8).map(widget), ...range(5).map(person)])
    },
  },
  tabs: {
    title: 'Four tabs',
    about: 'Four tabs send a request every 2 s each, for three minutes.',
    isPatient: true,
    play: ({ until, openTab }) =>
      Promise.all(
        range(4).map(async () => {
          const tab = openTab()
          const calls: Promise<void>[] = []
          for (const round of range(90)) {
            await until(round * 2_000)
            calls.push(tab.get(round))
          }
          await Promise.all(calls)
        }),
      ),
  },
  reloads: {
    title: 'Reloads',
    about: 'Somebody asks for 70 things at once, and then reloads the page every 4 s, ten times.',
    play: async ({ until, openTab }) => {
      const load = () => {
        const tab = openTab()
        return { tab, loaded: Promise.all(range(70).map((id) => tab.get(id))) }
      }
      let current = load()
      for (const reload of range(10)) {
        await until((reload + 1) * 4_000)
        current.tab.close()
        current = load()
      }
      await current.loaded
    },
  },
  'used-up-day': {
    title: 'Used-up day',
    about: 'The day is used up for six more hours. A person saves something, and again every 10 s, ten times.',
    prepare: (service, now) => {
      const wait = 6 * 3_600
      service.failNext(
        {
          status: 429,
          headers: {
            'Retry-After': String(wait),
            'X-RateLimit-Limit': '1000',
            'X-RateLimit-Remaining': '0',
            'X-RateLimit-Reset': String(Math.floor(now / 1_000) + wait),
          },
        },
        1_000,
      )
    },
    play: async ({ until, openTab }) => {
      const tab = openTab()
      for (const round of range(10)) {
        await until(round * 10_000)
        await tab.post(`category ${round}`)
      }
    },
  },
  'hidden-headers': {
    title: 'Hidden headers',
    about: 'The burst again, but the page cannot read a single header of the responses.',
    isPatient: true,
    hidesHeaders: true,
    play: burst,
  },
} satisfies Readonly<Record<string, Storm>>

export type StormName = keyof typeof storms
