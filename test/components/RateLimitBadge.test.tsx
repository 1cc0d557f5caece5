import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { createRef, Profiler, StrictMode, Suspense } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { unknownRateLimit } from '../../src/client/clientRateLimit.ts'
import {
  createPetstoreClient,
  PetstoreErrorBoundary,
  PetstoreProvider,
  RateLimitBadge,
  type RateLimitBadgeProps,
  type RateLimitState,
  useCategories,
} from '../../src/index.ts'
import { announce } from '../../src/components/announce.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress, renderOnService } from '../renderOnService.tsx'
import { watchAnnouncements } from './announcements.ts'

const start = new Date(2030, 0, 1, 12, 0, 30).getTime()
const later = (seconds: number) => start + seconds * 1_000

beforeEach(() => {
  vi.useFakeTimers({ now: start })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  document.body.replaceChildren()
})

type Status = RateLimitState['status']

const states: Readonly<Record<Status, RateLimitState>> = {
  unknown: unknownRateLimit,
  ok: { status: 'ok', limit: 60, remaining: 43, resetAt: later(30), retryAt: undefined, waitReason: undefined },
  low: { status: 'low', limit: 60, remaining: 12, resetAt: later(30), retryAt: undefined, waitReason: undefined },
  exhausted: {
    status: 'exhausted',
    limit: 60,
    remaining: 0,
    resetAt: later(30),
    retryAt: later(30),
    waitReason: 'rate-limit',
  },
  'cooling-down': {
    ...unknownRateLimit,
    status: 'cooling-down',
    limit: 60,
    retryAt: later(42),
    waitReason: 'rate-limit',
  },
}

/** Requests fail without a response. The state of the quota itself may be any. */
const outage: RateLimitState = { ...states.ok, retryAt: later(4), waitReason: 'connection' }

/** A client with a rate limit that the test controls. */
function clientIn(first: RateLimitState) {
  let state = first
  const listeners = new Set<() => void>()
  const real = createPetstoreClient({ baseUrl: 'https://pets.test/v1' })
  const client = {
    ...real,
    rateLimit: {
      ...real.rateLimit,
      getSnapshot: () => state,
      subscribe: (listener: () => void) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  }
  const change = (next: RateLimitState) =>
    act(() => {
      state = next
      for (const listener of listeners) listener()
    })
  return { client, change }
}

function renderIn(status: Status | RateLimitState, props: RateLimitBadgeProps = {}) {
  const first = typeof status === 'string' ? { ...states[status] } : status
  const { client, change } = clientIn(first)
  const newAnnouncements = watchAnnouncements()
  const view = render(
    <StrictMode>
      <PetstoreProvider client={client}>
        <RateLimitBadge {...props} />
      </PetstoreProvider>
    </StrictMode>,
  )
  return {
    ...view,
    change: (next: Status | RateLimitState) => change(typeof next === 'string' ? { ...states[next] } : next),
    /** The announcements since the last call. Lets 1.1 s pass, after which the badge has spoken. */
    newAnnouncements: () => {
      pass(1_100)
      return newAnnouncements()
    },
  }
}

function pass(milliseconds: number): void {
  act(() => void vi.advanceTimersByTime(milliseconds))
}

const badge = () => screen.getByRole('group')
const text = () => badge().textContent?.replaceAll(/\s+/g, ' ')

test('M1 is a group named “API requests” or by the app, with its state in `data-status`', () => {
  const { unmount } = renderIn('low')
  expect(screen.getByRole('group', { name: 'API requests' }).dataset['status']).toBe('low')
  unmount()
  renderIn('low', { 'aria-label': 'Quota' })
  expect(screen.getByRole('group', { name: 'Quota' })).toBeDefined()
})

test.each<[Status, string]>([
  ['unknown', 'API requestsNo response yet'],
  ['ok', 'API requestsAvailable43 of 60 requests leftResets at 12:01 PM'],
  ['low', 'API requestsRunning low12 of 60 requests leftResets in 30 seconds'],
  ['exhausted', 'API requestsUsed up0 of 60 requests leftResumes in 30 seconds'],
  ['cooling-down', 'API requestsPausedResumes in 42 seconds'],
])('M2 M4 says "%s" in words', (status, words) => {
  renderIn(status)
  expect(text()).toBe(words)
})

test('M2 each state has an icon of its own shape', () => {
  const { change } = renderIn('ok')
  const shapes = new Set<string | undefined>()
  for (const state of [...Object.values(states), outage]) {
    change(state)
    const icon = badge().querySelector('svg')
    expect(icon?.getAttribute('aria-hidden')).toBe('true')
    shapes.add(icon?.innerHTML)
  }
  expect(shapes.size).toBe(6)
})

test('M3 the number of requests left is a meter with a text value', () => {
  const { change } = renderIn('low')
  const meter = screen.getByRole('meter', { name: 'Requests left' })
  const attributes = ['aria-valuemin', 'aria-valuemax', 'aria-valuenow', 'aria-valuetext']
  expect(attributes.map((name) => meter.getAttribute(name))).toEqual(['0', '60', '12', '12 of 60 requests left'])
  expect(meter.querySelector<HTMLElement>('.petstore-rate-limit-badge-fill')?.style.inlineSize).toBe('20%')
  change('exhausted')
  expect(meter.getAttribute('aria-valuenow')).toBe('0')
})

test('M3 without a limit there is no meter, and if nothing is known no text either', () => {
  const { change } = renderIn({ ...states.low, limit: undefined })
  expect(text()).toContain('12 requests left')
  expect(screen.queryByRole('meter')).toBeNull()
  change({ ...states.low, limit: undefined, remaining: 1 })
  expect(text()).toContain('1 request left')
  change('cooling-down')
  expect(text()).not.toContain('left')
  expect(screen.queryByRole('meter')).toBeNull()
})

test('M4 rounds the end of a window up to the minute, and adds the date if it is far', () => {
  const { change } = renderIn({ ...states.ok, resetAt: later(36) })
  expect(text()).toContain('Resets at 12:02 PM')
  change({ ...states.ok, resetAt: later(31) })
  expect(text()).toContain('Resets at 12:01 PM')
  change({ ...states.ok, resetAt: later(24 * 3_600) })
  expect(text()).toContain('Resets tomorrow at 12:01 PM')
})

test('M6 P2 while requests fail without a response, its state says so', () => {
  const view = renderIn(outage)
  expect(text()).toBe('API requestsCan’t reach the service43 of 60 requests leftTrying again in 4 seconds')
  expect(badge().dataset['status']).toBe('connection')
  view.unmount()
  renderIn(outage, { compact: true })
  expect(seen()).toBe('4 sec')
  expect(badge().querySelector('[hidden]')?.textContent?.replaceAll(/\s+/g, ' ')).toBe(
    'API requests: Can’t reach the service. 43 of 60 requests left. Trying again in 4 seconds',
  )
})

test('M5 B1 server HTML has no quota, hydrates without a mismatch, then shows it and announces nothing', async () => {
  const logged = vi.spyOn(console, 'error')
  const newAnnouncements = watchAnnouncements()
  const { client } = clientIn(states.low)
  const ui = (
    <PetstoreProvider client={client}>
      <RateLimitBadge />
      <RateLimitBadge compact />
    </PetstoreProvider>
  )
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(ui)
  expect(container.textContent).toContain('No response yet')
  expect(container.innerHTML).not.toMatch(/style=|meter|Resets/)
  const root = await act(async () => hydrateRoot(container, ui))
  expect(container.textContent).toContain('12 of 60 requests left')
  expect(logged).not.toHaveBeenCalled()
  pass(1_000)
  expect(newAnnouncements()).toEqual([])
  act(() => root.unmount())
  logged.mockRestore()
})

/** The visible text of the compact badge. */
function seen(): string | undefined {
  const copy = badge().cloneNode(true) as HTMLElement
  for (const hidden of copy.querySelectorAll('[hidden]')) hidden.remove()
  return copy.textContent ?? undefined
}

test.each<[Status, string, string]>([
  ['unknown', '–', 'API requests: No response yet.'],
  ['ok', '43/60', 'API requests: Available. 43 of 60 requests left. Resets at 12:01 PM'],
  ['low', '12/60', 'API requests: Running low. 12 of 60 requests left. Resets in 30 seconds'],
  ['exhausted', '30 sec', 'API requests: Used up. 0 of 60 requests left. Resumes in 30 seconds'],
  ['cooling-down', '42 sec', 'API requests: Paused. Resumes in 42 seconds'],
])('P1 P2 compact, "%s" shows "%s" and has the rest in its name', (status, short, name) => {
  renderIn(status, { compact: true })
  expect(seen()).toBe(short)
  expect(badge().querySelectorAll('svg')).toHaveLength(1)
  expect(screen.getByRole('group', { name: (actual) => actual.replaceAll(/\s+/g, ' ').trim() === name })).toBe(badge())
})

const low = 'API requests: Running low. 12 of 60 requests left.'
const usedUp = 'API requests: Used up. Resumes in 29 seconds.'
const paused = 'API requests: Paused. Resumes in 41 seconds.'
const restored = 'You can make requests again.'

test.each<[Status, Status, string | undefined]>([
  ['ok', 'low', low],
  ['unknown', 'low', undefined],
  ['low', 'ok', undefined],
  ['unknown', 'ok', undefined],
  ['ok', 'unknown', undefined],
  ['unknown', 'exhausted', usedUp],
  ['ok', 'exhausted', usedUp],
  ['low', 'exhausted', usedUp],
  ['unknown', 'cooling-down', paused],
  ['low', 'cooling-down', paused],
  ['exhausted', 'cooling-down', undefined],
  ['cooling-down', 'exhausted', undefined],
  ['exhausted', 'ok', restored],
  ['exhausted', 'low', restored],
  ['exhausted', 'unknown', restored],
  ['cooling-down', 'unknown', restored],
])('B1 from %s to %s: %s', (before, after, message) => {
  const { newAnnouncements, change } = renderIn(before)
  change(after)
  expect(newAnnouncements()).toEqual(message === undefined ? [] : [message])
  change({ ...states[after], remaining: 0 })
  expect(newAnnouncements()).toEqual([])
})

test('B1 is silent about requests that fail, and their end; the quota before and after is compared', () => {
  const { newAnnouncements, change } = renderIn('ok')
  change(outage)
  expect(newAnnouncements()).toEqual([])
  change('ok')
  expect(newAnnouncements()).toEqual([])
  change(outage)
  change('exhausted')
  expect(newAnnouncements()).toEqual([expect.stringMatching(/^API requests: Used up\. Resumes in \d+ seconds\.$/)])
  change(outage)
  expect(newAnnouncements()).toEqual([])
  change('ok')
  expect(newAnnouncements()).toEqual([restored])
})

test.each([false, true])(
  'M4 B1 B3 counts down, and is silent on ticks, which are in no live region (compact: %s)',
  (compact) => {
    const { newAnnouncements } = renderIn('cooling-down', { compact })
    for (let second = 0; second < 5; second += 1) pass(1_000)
    expect(newAnnouncements()).toEqual([])
    expect(text()).toContain('in 36 seconds') // 5 s, and 1.1 s to listen
    expect(badge().querySelector('[aria-live], [role="status"], [role="alert"], [role="timer"]')).toBeNull()
  },
)

test.each(['earlier', 'later'])('B1 is silent about a wait that another component announces %s', (order) => {
  const { newAnnouncements, change } = renderIn('ok')
  const speak = () => announce('Your request waits.', null, true)
  if (order === 'earlier') speak()
  change('cooling-down')
  if (order === 'later') {
    pass(500)
    speak()
  }
  pass(1_000)
  expect(newAnnouncements()).toEqual(['Your request waits.'])
  change('unknown')
  expect(newAnnouncements()).toEqual([restored])
})

test('M4 a long wait has the time of its end, on screen and in the announcement', () => {
  const { newAnnouncements, change } = renderIn('ok')
  change({ ...states['cooling-down'], retryAt: later(600) })
  expect(newAnnouncements()).toEqual(['API requests: Paused until 12:11\u00a0PM.'])
  expect(text()).not.toContain('Resumes')
  change({ ...states.exhausted, retryAt: later(600), resetAt: later(600) })
  expect(text()).toContain('Used up until 12:11 PM')
})

test('M4 a limit until another day is used up, not paused, on screen and in the announcement', () => {
  const { newAnnouncements, change } = renderIn('ok')
  change({ ...states['cooling-down'], retryAt: later(86_400) })
  expect(text()).toContain('Used up until tomorrow at 12:01 PM')
  expect(newAnnouncements()).toEqual(['API requests: Used up until tomorrow at 12:01\u202fPM.'])
})

test('B2 several badges speak once', () => {
  const { client, change } = clientIn(states.ok)
  const newAnnouncements = watchAnnouncements()
  render(
    <PetstoreProvider client={client}>
      <RateLimitBadge />
      <RateLimitBadge compact />
    </PetstoreProvider>,
  )
  change({ ...states.low })
  pass(100)
  expect(newAnnouncements()).toEqual([low])
})

test('M5 B4 follows the service: nothing, a response, a pause, and the end of a window, which is not “No response yet”', async () => {
  const service = createPetstoreService({ plan: [{ limit: 10, per: 60_000 }] })
  const client = createPetstoreClient({ ...service.providerProps(), retry: { maxWait: 0 } })
  render(
    <PetstoreProvider client={client}>
      <RateLimitBadge />
    </PetstoreProvider>,
  )
  expect(text()).toContain('No response yet')
  const list = () =>
    act(async () => {
      client.listCategories().catch(() => {})
      await vi.advanceTimersByTimeAsync(100)
    })
  await list()
  expect(text()).toContain('9 of 10 requests left')
  service.failNext({ status: 429, headers: { 'Retry-After': '42' } })
  await list()
  expect(text()).toMatch(/Paused.*Resumes in 4\d seconds/)
  await act(() => vi.advanceTimersByTimeAsync(90_000))
  expect(text()).toBe('API requestsAvailableThe next response shows what’s left')
})

test.each([
  ['there is no limit', { 'X-RateLimit-Limit': '-1', 'X-RateLimit-Remaining': '-1', 'X-RateLimit-Reset': '-1' }],
  ['no header can be read', {}],
])('M5 says “Available” after a response, and during the next request, where %s', async (_, headers) => {
  const fetch = async () => Response.json([], { headers })
  const client = createPetstoreClient({ baseUrl: newAddress(), fetch })
  render(
    <PetstoreProvider client={client}>
      <RateLimitBadge />
    </PetstoreProvider>,
  )
  const list = () => act(async () => void (await client.listCategories()))
  await list()
  expect(text()).toContain('Checking…')
  pass(100)
  expect(text()).toBe('API requestsAvailable')
  await list()
  expect(text()).toBe('API requestsAvailable')
})

test('B3 renders for changes, and once a second only while it counts down', () => {
  const { client, change } = clientIn(states.ok)
  const rendered = vi.fn<() => void>()
  render(
    <PetstoreProvider client={client}>
      <Profiler id="badge" onRender={rendered}>
        <RateLimitBadge />
      </Profiler>
    </PetstoreProvider>,
  )
  const rendersWhile5SecondsPass = () => {
    const before = rendered.mock.calls.length
    for (let second = 0; second < 5; second += 1) pass(1_000)
    return rendered.mock.calls.length - before
  }
  expect(rendersWhile5SecondsPass()).toBe(0)
  change({ ...states['cooling-down'] })
  expect(rendersWhile5SecondsPass()).toBe(5)
})

test('M7 shows a key that was rejected before the badge was on the page', async () => {
  vi.useRealTimers()
  vi.spyOn(console, 'error').mockImplementation(() => {}) // React logs what boundaries catch
  const service = createPetstoreService()
  service.failNext({ status: 401 })
  function Names() {
    return <p>{useCategories({ suspense: true }).data.length}</p>
  }
  const page = (
    <Suspense>
      <RateLimitBadge />
      <PetstoreErrorBoundary fallback={() => null}>
        <Names />
      </PetstoreErrorBoundary>
    </Suspense>
  )
  await act(async () => void renderOnService(page, { service }))
  await waitFor(() => expect(text()).toContain('Key rejected'))
})

test('C1 takes native props, the ref, class names and labels', () => {
  const ref = createRef<HTMLDivElement>()
  const slots = { title: 'my-title', state: 'my-state', icon: 'my-icon', remaining: 'my-remaining', time: 'my-time' }
  renderIn('exhausted', {
    ref,
    id: 'mine',
    className: 'my-badge',
    classNames: slots,
    labels: { exhausted: 'Aufgebraucht' },
  } as RateLimitBadgeProps)
  expect(ref.current).toBe(badge())
  expect(badge().id).toBe('mine')
  expect([...badge().classList]).toEqual([
    'petstore-root',
    'petstore-rate-limit-badge',
    'petstore-rate-limit-badge-full',
    'my-badge',
  ])
  for (const name of Object.values(slots)) expect(badge().querySelector(`.${name}`)).not.toBeNull()
  expect(text()).toContain('Aufgebraucht')
})
