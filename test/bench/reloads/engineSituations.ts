import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineTab } from '../../engines/EngineBrowser.ts'
import { everyDelay, type Situation, soon, timeout, urlOf, type Visit } from './situations.ts'

type EngineVisit = Visit<EngineTab>

/** Resolves with a value of the page as soon as there is one. */
async function poll(tab: EngineTab, read: () => number | null): Promise<number> {
  for (const end = Date.now() + timeout; Date.now() < end; await sleep(20)) {
    // Between two pages there is nothing to ask.
    const value = await tab.run(read).catch(() => null)
    if (value !== null) return value
  }
  throw new Error('The page shows nothing.')
}

const shown = (tab: EngineTab) => poll(tab, () => window.shownAt ?? null)

const reload =
  (isKnown: boolean) =>
  async (visit: EngineVisit): Promise<number> => {
    const { browser: tab, server, key, delay } = visit
    const url = urlOf(visit, 'list')
    if (isKnown) {
      await tab.open(url)
      await shown(tab)
    }
    await tab.open(`${url}&page=next`)
    await server.arrivals(key, isKnown ? 2 : 1)
    await sleep(delay)
    await tab.reload()
    return shown(tab)
  }

/** The service loses each connection for 36 s. Then the page gets the event: drivers of these engines cut off no network. */
async function comeBackOnline(visit: EngineVisit): Promise<number> {
  const { browser: tab, server, key } = visit
  await tab.open(urlOf(visit, 'nothing'))
  await tab.run(() => window.poll())
  await server.arrivals(key, 1)
  server.isDown = true
  await sleep(36_000)
  server.isDown = false
  await tab.run(() => void dispatchEvent(new Event('online')))
  return poll(tab, () => window.backAfter ?? null)
}

/** What happens to pages of the other engines. */
export const engineSituations: readonly Situation<EngineTab>[] = [
  {
    name: 'reload, first visit',
    responseTime: 600,
    delays: everyDelay,
    goal: soon,
    run: reload(false),
  },
  {
    name: 'reload, known window',
    responseTime: 600,
    delays: everyDelay,
    goal: soon,
    run: reload(true),
  },
  { name: 'wifi back after 36 s', responseTime: 0, maxRuns: 5, goal: soon, run: comeBackOnline },
]
