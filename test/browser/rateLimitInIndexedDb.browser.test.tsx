import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ReactNode, StrictMode, useEffect } from 'react'
import { SWRConfig } from 'swr'
import { afterEach, expect, test } from 'vitest'
import {
  type PetstoreClient,
  PetstoreProvider,
  useCategories,
  useCreateCategory,
  usePetstoreClient,
  useRateLimit,
} from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'

// Here the gate keeps its record in IndexedDB, which jsdom lacks.

afterEach(cleanup)

/** A service at a new address: the browser keeps the rate limit of an address, also for later tests and runs. */
function setup() {
  const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
  const options = {
    baseUrl: `https://${crypto.randomUUID()}.test/v1`,
    apiKey: 'demo',
    fetch: service.fetch,
  }
  const App = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <SWRConfig value={{ provider: () => new Map() }}>
        {/* Otherwise the second root would show the rows of the first, and send no request that meets the gate. */}
        <PetstoreProvider {...options} shareResponses={false}>
          {children}
        </PetstoreProvider>
      </SWRConfig>
    </StrictMode>
  )
  return { service, App }
}

function Names() {
  const { data, wait, refresh } = useCategories()
  return (
    <section>
      <p>{data ? data.map(({ id, name }) => `${name} ${id}`).join() : 'nothing yet'}</p>
      {wait && <p>waits until {wait.until}</p>}
      <button type="button" onClick={() => void refresh()}>
        Refresh
      </button>
    </section>
  )
}

function Creator() {
  const { trigger, status, wait } = useCreateCategory()
  return (
    <>
      <button type="button" onClick={() => void trigger({ name: 'Cat' })}>
        Create
      </button>
      <p>
        {status} {wait?.until}
      </p>
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
  // The gate may release either request first: if the GET leaves before the POST, its rows lack the cat.
  await within(second.container).findByText(/^Dog 1/, {}, { timeout: 4_000 })
  expect(within(second.container).queryByText(/waits until/)).toBeNull()
  const [, refused, ...after] = service.requests
  expect(after.map(({ method, status }) => `${method} ${status}`).toSorted()).toEqual(['GET 200', 'POST 201'])
  for (const { at } of after) expect(at).toBeGreaterThanOrEqual((refused?.at ?? Infinity) + 1_000)
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
