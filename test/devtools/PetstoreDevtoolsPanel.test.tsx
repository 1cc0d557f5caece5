import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { PetstoreDevtoolsPanel } from '../../src/devtools.ts'
import { createPetstoreClient, type RateLimitStore } from '../../src/index.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress, noResponse, OwnCache } from '../renderOnService.tsx'
import { cellsOf, CreateButton, Names, press, refusingService, renderApp } from './panel.setup.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const panel = <PetstoreDevtoolsPanel />
const withNames = (
  <>
    <Names />
    {panel}
  </>
)
const withCreate = (
  <>
    <CreateButton />
    {panel}
  </>
)

describe('calls that wait', () => {
  const textsOfWaiting = async (count: number) => {
    expect(await screen.findByRole('heading', { name: `Waiting calls (${count})` })).toBeDefined()
    const list = screen.getByRole('list', { name: /^Waiting calls/ })
    return within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  }

  test('have a reason, a priority and times, in the order in which they leave', async () => {
    const app = (
      <>
        <CreateButton priority="background" />
        <CreateButton priority="user" />
        {panel}
      </>
    )
    const { user } = renderApp(app, { service: refusingService() })
    await press(user, 'Create background')
    await textsOfWaiting(1)
    await press(user, 'Create user')
    const texts = await textsOfWaiting(2)
    expect(texts[0]).toMatch(/^createCategoryuser/)
    expect(texts[1]).toMatch(/^createCategorybackground/)
    for (const text of texts) {
      expect(text).toMatch(/Cool-down until \d\d:\d\d:\d\d: the service refused a request\./)
      expect(text).toMatch(/Leaves at \d\d:\d\d:\d\d at the earliest\. Fails if it would wait past \d\d:\d\d:\d\d\./)
    }
  })

  test('are one row with a count where they are equal', async () => {
    const { user } = renderApp(withCreate, { service: refusingService() })
    for (const count of [1, 2, 3]) {
      await press(user, 'Create')
      expect(await screen.findByRole('heading', { name: `Waiting calls (${count})` })).toBeDefined()
    }
    const texts = await textsOfWaiting(3)
    expect(texts).toHaveLength(1)
    expect(texts[0]).toMatch(/^createCategory×\u00a03user/)
  })

  test('are none at first: each section says that it is empty', async () => {
    renderApp(panel)
    expect(await screen.findByText('No calls wait.')).toBeDefined()
    expect(screen.getByText('No calls yet.')).toBeDefined()
    expect(screen.getByText('The service has not announced a request limit.')).toBeDefined()
  })

  test('are not shown for the first second if they wait only for the store', async () => {
    vi.useFakeTimers()
    const store = createMemoryStore()
    const update: RateLimitStore['update'] = async (...change) => {
      await new Promise((resolve) => setTimeout(resolve, 1_900)) // after 2 s the gate would go on without it
      await store.update(...change)
    }
    renderApp(withNames, { rateLimitStore: { ...store, update } })
    await act(() => vi.advanceTimersByTimeAsync(900))
    expect(screen.getByText('No calls wait.')).toBeDefined()
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(screen.getByText('May leave. The decision is being stored.')).toBeDefined()
  })

  test('count the seconds while no event arrives', async () => {
    vi.useFakeTimers()
    const { service } = renderApp(withNames, { service: refusingService() })
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(service.requests).toHaveLength(1)
    expect(screen.getByText(/^Has waited for (?:1\.\d|2\.0) s\./)).toBeDefined()
    await act(() => vi.advanceTimersByTimeAsync(20_000))
    expect(screen.getByText(/^Has waited for 2[12] s\./)).toBeDefined()
    await act(() => vi.advanceTimersByTimeAsync(25_000))
    expect(screen.getByText('No calls wait.')).toBeDefined()
  })
})

describe('calls in the table', () => {
  test('show their attempts, where their time went, and their result', async () => {
    const service = createPetstoreService()
    service.failNext({ status: 503 })
    renderApp(withNames, { service })
    const call = await waitFor(async () => {
      const [first = []] = await cellsOf('Calls')
      expect([first[1], first[3]]).toEqual(['success', '503, then 200'])
      return first
    })
    expect(call[0]).toBe('listCategories')
    expect(call[5]).toMatch(/^(?:(?:key|queue|network|reading) [\d.]+ m?s(?:, |$))+/)
    expect(call[4]).toMatch(/^[\d.]+ m?s$/)
    expect(screen.getByText(/^5\d of 60 requests left until \d\d:\d\d:\d\d$/)).toBeDefined()
  })

  test('show that they have failed, or are under way', async () => {
    const service = createPetstoreService()
    service.failNext({ status: 400 })
    let isSilent = false
    const fetch = (request: Request) => (isSilent ? noResponse(request) : service.fetch(request))
    const { user } = renderApp(withCreate, { fetch })
    const expectResult = (...expected: string[]) =>
      waitFor(async () => {
        const [first = []] = await cellsOf('Calls')
        expect([first[1], first[3]]).toEqual(expected)
      })
    await press(user, 'Create')
    await expectResult('bad-request', '400')
    isSilent = true
    await press(user, 'Create')
    await expectResult('under way', 'no response yet')
  })
})

describe('what the gate knows', () => {
  test('is written in sentences', async () => {
    renderApp(withNames)
    expect(await screen.findByText(/^59 of 60 requests left until .*, those in flight included\.$/)).toBeDefined()
    expect(screen.getByText('No cool-down.')).toBeDefined()
  })

  test('can be forgotten once the warning is open, and then the waiting call leaves', async () => {
    const { user, service } = renderApp(withNames, { service: refusingService() })
    expect(await screen.findByRole('heading', { name: 'Waiting calls (1)' })).toBeDefined()
    const warning = screen.getByText(/can get the API key banned/)
    expect(warning.closest('details')?.open).toBe(false)
    await user.click(screen.getByText('Forget the cool-down'))
    expect(warning.closest('details')?.open).toBe(true)
    expect(service.requests).toHaveLength(1)
    await press(user, 'Forget it')
    await waitFor(() => expect(service.requests).toHaveLength(2))
    expect(await screen.findByText('No calls wait.')).toBeDefined()
  })
})

describe('the report', () => {
  test('is copied without key, scope, inputs and address; without a clipboard it is in the console', async () => {
    const service = refusingService()
    const app = (
      <>
        <CreateButton />
        {withNames}
      </>
    )
    const { user } = renderApp(app, { service, apiKey: 'demo', scope: 'user-7' })
    expect(await screen.findByRole('heading', { name: 'Waiting calls (1)' })).toBeDefined()
    await press(user, 'Create')
    expect(await screen.findByRole('heading', { name: 'Waiting calls (2)' })).toBeDefined()
    await press(user, 'Copy as JSON')
    expect(await screen.findByText('Copied, without the API key.')).toBeDefined()
    const text = await navigator.clipboard.readText()
    const report = JSON.parse(text)
    expect(report.calls).toHaveLength(2)
    expect(report.waiting).toHaveLength(2)
    expect(report.waiting[0].why).toMatch(/^Cool-down until/)
    expect(report.gate).toContain('No request is in flight.')
    for (const secret of ['demo', 'user-7', 'Secret', '.test']) expect(text).not.toContain(secret)

    const log = vi.spyOn(console, 'log').mockReturnValue()
    vi.spyOn(navigator, 'clipboard', 'get').mockImplementation(() => undefined as never)
    await press(user, 'Copy as JSON')
    expect(await screen.findByText('Not copied: the console has the text.')).toBeDefined()
    expect(JSON.parse(log.mock.lastCall?.[0]).calls).toHaveLength(2)
  })
})

describe('the client', () => {
  test('may be a prop; without a prop and a provider, the panel says that it finds none', async () => {
    const { fetch } = createPetstoreService()
    const client = createPetstoreClient({ baseUrl: newAddress(), apiKey: 'demo', fetch })
    const { rerender } = render(<PetstoreDevtoolsPanel client={client} />, { wrapper: OwnCache })
    await client.listCategories()
    expect(await cellsOf('Calls')).toHaveLength(1)
    rerender(<PetstoreDevtoolsPanel />)
    expect(screen.getByText(/^No client found/)).toBeDefined()
  })

  test('is not inspected while the page is hidden', async () => {
    vi.useFakeTimers()
    const { fetch } = createPetstoreService()
    const client = createPetstoreClient({ baseUrl: newAddress(), apiKey: 'demo', fetch })
    render(<PetstoreDevtoolsPanel client={client} />, { wrapper: OwnCache })
    await act(() => vi.advanceTimersByTimeAsync(1_500))
    const inspect = vi.spyOn(client.rateLimit, 'inspect')
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(inspect).not.toHaveBeenCalled()
    visibility.mockReturnValue('visible')
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(inspect).toHaveBeenCalled()
  })
})
