import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { SWRConfig } from 'swr'
import { afterEach, expect, test, vi } from 'vitest'
import {
  type PetstoreClient,
  PetstoreErrorBoundary,
  PetstoreProvider,
  useCategories,
  useCreateCategory,
  usePendingCategories,
  usePetstoreClient,
  useRateLimit,
} from '../../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'

// jsdom lacks what these tests cover: the rate-limit store in IndexedDB, hashes, and real requests and responses.

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** A service at an address that no other test or run uses, because the browser keeps its rate limit. */
function setup({ hold }: { hold?: (request: Request) => Promise<void> } = {}) {
  const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
  const options = {
    baseUrl: `https://${crypto.randomUUID()}.test/v1`,
    apiKey: 'demo',
    fetch: async (request: Request) => {
      await hold?.(request)
      return service.fetch(request)
    },
  }
  const App = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <SWRConfig value={{ provider: () => new Map() }}>
        {/* Each root asks by itself, so that it meets the gate. */}
        <PetstoreProvider {...options} shareResponses={false}>
          {children}
        </PetstoreProvider>
      </SWRConfig>
    </StrictMode>
  )
  return { service, App }
}

function Names({ label = 'categories' }: { label?: string }) {
  const { data, error, wait, refresh } = useCategories()
  return (
    <section aria-label={label}>
      <p>{data ? data.map(({ id, name }) => `${name} ${id}`).join() : 'nothing yet'}</p>
      {error && <p>failed: {error.kind}</p>}
      {wait && <p>waits until {wait.until}</p>}
      <button type="button" onClick={() => void refresh()}>
        Refresh
      </button>
    </section>
  )
}

function Creator() {
  const { trigger, status, wait } = useCreateCategory({ optimistic: true })
  const pending = usePendingCategories()
  return (
    <>
      <button type="button" onClick={() => void trigger({ name: 'Cat' })}>
        Create
      </button>
      <p>
        {status} {wait?.until}
      </p>
      <p>pending: {pending.map(({ name }) => name).join()}</p>
    </>
  )
}

function Quota() {
  const { status, remaining } = useRateLimit()
  return (
    <p>
      {status} {remaining}
    </p>
  )
}

const click = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const methods = ({ requests }: PetstoreService) => requests.map(({ method }) => method)

test('loads once, and again on refresh', async () => {
  const { service, App } = setup()
  render(
    <App>
      <Names />
      <Quota />
    </App>,
  )
  await screen.findByText('Dog 1')
  await screen.findByText('ok 59')
  await click('Refresh')
  await screen.findByText('ok 58')
  expect(methods(service)).toEqual(['GET', 'GET'])
})

test('a created category joins two lists without another request, and shows before its response', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const { service, App } = setup({ hold: async ({ method }) => void (method === 'POST' && (await held)) })
  render(
    <App>
      <Names label="one" />
      <Names label="other" />
      <Creator />
    </App>,
  )
  await waitFor(() => expect(screen.getAllByText('Dog 1')).toHaveLength(2))
  await click('Create')
  await screen.findByText('pending: Cat')
  expect(screen.getAllByText('Dog 1')).toHaveLength(2)
  release()
  await waitFor(() => expect(screen.getAllByText('Dog 1,Cat 2')).toHaveLength(2))
  expect(screen.getByText('pending:')).toBeDefined()
  expect(screen.getByText('success')).toBeDefined()
  expect(methods(service)).toEqual(['GET', 'POST'])
})

test('a refused category leaves no row', async () => {
  const { service, App } = setup()
  render(
    <App>
      <Names />
      <Creator />
    </App>,
  )
  await screen.findByText('Dog 1')
  service.failNext({ status: 400 })
  await click('Create')
  await screen.findByText('error')
  expect(screen.getByText('Dog 1')).toBeDefined()
  expect(screen.getByText('pending:')).toBeDefined()
})

test('two roots with separate clients both show a 429 and wait for its end', async () => {
  const { service, App } = setup()
  const clients = new Set<PetstoreClient>()
  const Client = () => {
    const client = usePetstoreClient()
    useEffect(() => void clients.add(client))
    return null
  }
  const first = render(
    <App>
      <Names />
      <Creator />
      <Quota />
      <Client />
    </App>,
  )
  await within(first.container).findByText('Dog 1')
  service.failNext({ status: 429, headers: { 'Retry-After': '1' } })
  await click('Create')
  await within(first.container).findByText(/^cooling-down/)
  const inFirst = await within(first.container).findByText(/^waiting \d+$/)
  const until = Number(inFirst.textContent?.split(' ')[1])
  expect(until).toBeGreaterThan(Date.now())

  // The same address and key, but another root, provider, client and SWR cache.
  const second = render(
    <App>
      <Names />
      <Quota />
      <Client />
    </App>,
  )
  await within(second.container).findByText(/^cooling-down/)
  await within(second.container).findByText(/^waits until/)
  expect(service.requests.map(({ status }) => status)).toEqual([200, 429])
  expect(clients.size).toBe(2)

  await within(first.container).findByText('Dog 1,Cat 2', {}, { timeout: 4_000 })
  // The gate may release either request first.
  await within(second.container).findByText(/^Dog 1/, {}, { timeout: 4_000 })
  expect(within(second.container).queryByText(/waits until/)).toBeNull()
  const [, refused, ...after] = service.requests
  expect(after.map(({ method, status }) => `${method} ${status}`).toSorted()).toEqual(['GET 200', 'POST 201'])
  for (const { at } of after) expect(at).toBeGreaterThanOrEqual((refused?.at ?? Infinity) + 1_000)
})

test('resetting an error boundary sends a request', async () => {
  const { service, App } = setup()
  vi.spyOn(console, 'error').mockImplementation(() => {}) // React logs what the boundary catches
  const Strict = () => <p>{useCategories({ throwOnError: true }).data?.map(({ name }) => name)}</p>
  service.failNext({ body: 'wrong-shape' })
  render(
    <App>
      <PetstoreErrorBoundary
        fallback={({ error, reset }) => (
          <button type="button" onClick={reset}>
            {error.kind}
          </button>
        )}
      >
        <Strict />
      </PetstoreErrorBoundary>
    </App>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'response-validation' }))
  await screen.findByText('Dog')
  expect(methods(service)).toEqual(['GET', 'GET'])
})

test('a cool-down outlives the components that caused it', async () => {
  const { service, App } = setup()
  const { unmount } = render(
    <App>
      <Names />
      <Quota />
    </App>,
  )
  await screen.findByText('Dog 1')
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  await click('Refresh')
  await screen.findByText(/^waits until/)
  unmount()
  render(
    <App>
      <Names />
      <Quota />
    </App>,
  )
  await screen.findByText(/^waits until/)
  expect(await screen.findByText(/^cooling-down/)).toBeDefined()
  expect(service.requests).toHaveLength(2)
})
