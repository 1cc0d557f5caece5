import { execFileSync } from 'node:child_process'
import { cleanup, waitFor, within } from '@testing-library/react'
import { StrictMode, version } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { unload } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPetstoreClient } from '../../src/index.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { address, createService, type ProviderProps, type SceneName, scenes } from './hydration.setup.tsx'
import type { Pages } from './hydrationServer.ts'

/** Renders the scenes in another process, which has no document, with the React of this run. */
function renderOnServer(): Pages {
  const react18 = ['react', 'react-dom'].map((name) => `--alias:${name}=./test/react-18/node_modules/${name}`)
  const require = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"
  const program = execFileSync(
    'node_modules/.bin/esbuild',
    [
      `${import.meta.dirname}/hydrationServer.ts`,
      '--bundle',
      '--platform=node',
      '--format=esm',
      `--banner:js=${require}`,
      ...(version.startsWith('18') ? react18 : []),
    ],
    { maxBuffer: 100_000_000 },
  )
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-'], {
      input: program,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  ) as Pages
}

const pages = renderOnServer()
const logged = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
const hydrated: { readonly root: Root; readonly container: HTMLElement }[] = []

beforeEach(() => {
  // The middle of a minute, so that no quota window ends during a test.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 0, 0, 30) })
  for (const spy of logged) spy.mockClear()
})
afterEach(() => {
  cleanup()
  for (const { root, container } of hydrated.splice(0)) {
    root.unmount()
    container.remove()
  }
  unload({ revalidate: false })
  vi.useRealTimers()
  const messages = logged.flatMap((spy) => spy.mock.calls).map(String)
  const unexpected = messages.filter((message) => !message.startsWith(suspended))
  if (unexpected.length > 0) throw new Error(`logged: ${unexpected.join()}`)
})

/** React 19 logs this in development for SWR (SWR's issue 4314) when a response arrives at once. */
const suspended = 'A component was suspended by an uncached promise.'

/** Hydrates the server's HTML of a scene without `act`, which would change React's timing. */
function hydrate(name: SceneName, provider: ProviderProps) {
  const { html, prepared } = pages[name]
  const container = document.createElement('div')
  container.innerHTML = html
  document.body.append(container)
  /** The text after each change of the document. */
  const seen = [container.textContent]
  const observer = new MutationObserver(() => seen.push(container.textContent))
  observer.observe(container, { subtree: true, childList: true, characterData: true })
  const recovered: string[] = []
  const root = hydrateRoot(container, <StrictMode>{scenes[name].app(provider, prepared)}</StrictMode>, {
    onRecoverableError: (error) => void recovered.push(String(error)),
  })
  hydrated.push({ root, container })
  return { container, seen, recovered }
}

const optionsFor = ({ fetch }: Pick<PetstoreService, 'fetch'>, scope: string) => ({
  baseUrl: address,
  apiKey: 'demo',
  fetch,
  scope,
  rateLimitStore: createMemoryStore(),
})

const shown = (container: HTMLElement) => within(container).getAllByRole('listitem')

test('without prepared data, the page loads the rows', async () => {
  const service = createService()
  const { container, seen, recovered } = hydrate('plain', optionsFor(service, 'plain'))
  expect(pages.plain.requests).toBe(0)
  expect(seen[0]).toContain('nothing yet')
  await waitFor(() => expect(shown(container)).toHaveLength(1))
  await waitFor(() => expect(container.textContent).toContain('rate limit ok'))
  expect(recovered).toEqual([])
  expect(service.requests).toHaveLength(1)
})

const prefetchedScenes = ['prefetched', 'suspendingPrefetched'] as const

/** Sets the clock to the time at which the server loaded the rows, plus their age in ms. */
function setAge(name: SceneName, age: number): void {
  const times = Object.values(pages[name].prepared.fallback ?? {}).filter((value) => typeof value === 'number')
  vi.setSystemTime(Math.max(...times) + age)
}

test.each(prefetchedScenes)('%s: rows that a server loaded 29 s ago are fresh, and cost no request', async (name) => {
  const service = createPetstoreService({ categories: [{ name: 'Dog' }, { name: 'Cat' }] })
  const client = createPetstoreClient(optionsFor(service, name))
  const calls: string[] = []
  client.subscribe(({ type }) => void calls.push(type))
  setAge(name, 29_000)
  const { container, recovered } = hydrate(name, { client })
  await waitFor(() => expect(container.textContent).toContain(`updated at ${Date.now() - 29_000}.`))
  expect(shown(container)).toHaveLength(1)
  expect({ recovered, calls, requests: service.requests }).toEqual({ recovered: [], calls: [], requests: [] })
})

test.each(prefetchedScenes)('%s: rows of a server whose clock is ahead count as loaded now', async (name) => {
  const service = createService()
  setAge(name, -600_000)
  const { container } = hydrate(name, optionsFor(service, name))
  await waitFor(() => expect(container.textContent).toContain(`updated at ${Date.now()}.`))
  expect(service.requests).toEqual([])
})

test.each(['prefetched', 'fallbackData', 'suspendingPrefetched'] as const)(
  '%s: rows from the server that are not known to be fresh stay visible, and are loaded once more',
  async (name) => {
    const service = createPetstoreService({ categories: [{ name: 'Dog' }, { name: 'Cat' }] })
    if (name !== 'fallbackData') setAge(name, 30_000)
    const { container, seen, recovered } = hydrate(name, optionsFor(service, name))
    expect(pages[name].requests).toBe(1)
    await waitFor(() => expect(shown(container)).toHaveLength(2))
    await waitFor(() => expect(container.textContent).toContain('rate limit ok'))
    for (const text of seen) expect(text).toContain('Dog')
    expect(recovered).toEqual([])
    expect(service.requests).toHaveLength(1)
  },
)

test('a quota that the page already knows shows only after hydration', async () => {
  const service = createPetstoreService({ plan: [{ limit: 10, per: 60_000 }] })
  const client = createPetstoreClient(optionsFor(service, 'prefetched'))
  while (client.rateLimit.getSnapshot().status !== 'low') await client.listCategories()
  const { container, seen, recovered } = hydrate('prefetched', { client })
  expect(seen[0]).toContain('rate limit unknown')
  await waitFor(() => expect(container.textContent).toContain('rate limit low'))
  expect(recovered).toEqual([])
})

test('suspense without data: the page shows the fallback of the server, then loads once', async () => {
  const service = createService()
  const { container, seen, recovered } = hydrate('suspending', optionsFor(service, 'suspending'))
  expect(pages.suspending.html).toContain('<p>suspended</p>')
  await waitFor(() => expect(shown(container)).toHaveLength(1))
  for (const text of seen) expect(text).toMatch(/suspended|Dog/)
  expect(recovered).toEqual([expect.stringContaining('Fallback data is required when using Suspense in SSR.')])
  expect(service.requests).toHaveLength(1)
})
