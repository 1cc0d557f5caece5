import { failureWorlds } from './failureWorlds.ts'
import { flow, load, minute, repeat, second, unnoticed } from './pageScripts.ts'
import { randomOf, type World, type WorldContext } from './runWorld.ts'
import { startWorlds } from './startWorlds.ts'

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

/** Worlds in which nothing fails, or some requests at random. */
const healthyWorlds: readonly World[] = [
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

export const worlds: readonly World[] = [...failureWorlds, ...startWorlds, ...healthyWorlds]
