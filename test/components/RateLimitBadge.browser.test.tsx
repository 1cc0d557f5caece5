import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import '../../src/styles.css'
import {
  createPetstoreClient,
  type PetstoreEvent,
  PetstoreProvider,
  RateLimitBadge,
  type RateLimitState,
} from '../../src/index.ts'

afterEach(cleanup)

const nothing = {
  limit: undefined,
  remaining: undefined,
  resetAt: undefined,
  retryAt: undefined,
  waitReason: undefined,
}

function renderIn(state: RateLimitState, compact = true, width = 416, events: readonly PetstoreEvent[] = []): void {
  const real = createPetstoreClient({ baseUrl: 'https://pets.test/v1' })
  const subscribe: typeof real.subscribe = (listener) => {
    events.forEach(listener)
    return () => {}
  }
  const client = { ...real, subscribe, rateLimit: { ...real.rateLimit, getSnapshot: () => state } }
  render(
    <PetstoreProvider client={client}>
      <RateLimitBadge compact={compact} style={{ inlineSize: `${width}px` }} />
    </PetstoreProvider>,
  )
}

test('P2 a hidden text names the compact badge, including the countdown', async () => {
  renderIn({ ...nothing, status: 'cooling-down', limit: 60, retryAt: Date.now() + 3_599_000, waitReason: 'rate-limit' })
  const name = /^API requests: Paused until .+\.$/
  await expect.element(page.getByRole('group', { name })).toBeVisible()
})

const queued = {
  type: 'queued',
  at: 0,
  operation: 'listCategories',
  callId: 'a',
  attempt: 1,
  priority: 'user',
  duration: 0,
} as const

test.each([
  ['API requests', []],
  ['API requests1 waiting', [queued]],
] as const)('C2 M4 from 160 px on no word breaks: "%s"', (start, events) => {
  for (const width of [160, 200, 220]) {
    renderIn({ status: 'cooling-down', ...nothing, retryAt: Date.now() + 40_000 }, false, width, events)
    expect(page.getByRole('group').element().textContent).toMatch(new RegExp(`^${start}Paused`))
    const word = document.createRange()
    const title = page.getByText('API requests', { exact: true }).element().firstChild ?? document
    word.setStart(title, 'API '.length)
    word.setEnd(title, 'API requests'.length)
    expect(word.getClientRects()).toHaveLength(1)
    cleanup()
  }
})

test('C3 the full badge is as high in every state, and its meter is at the same place', () => {
  const resetAt = Date.now() + 40_000
  const quota = { limit: 60, remaining: 57, resetAt, retryAt: undefined, waitReason: undefined }
  const tomorrow = Date.now() + 86_400_000
  const states: readonly RateLimitState[] = [
    { status: 'unknown', ...nothing },
    { status: 'ok', ...quota },
    { status: 'low', ...quota, remaining: 7 },
    { status: 'exhausted', ...quota, remaining: 0, resetAt: tomorrow, retryAt: tomorrow, waitReason: 'rate-limit' },
    { status: 'exhausted', ...quota, remaining: 0, retryAt: resetAt, waitReason: 'rate-limit' },
    { status: 'cooling-down', ...nothing, retryAt: resetAt },
    { status: 'ok', ...quota, retryAt: resetAt, waitReason: 'connection' },
  ]
  for (const width of [416, 288]) {
    const boxes = states.map((state) => {
      renderIn(state, false, width)
      const { top, height } = page.getByRole('group').element().getBoundingClientRect()
      const meter = page.getByRole('meter').query()?.getBoundingClientRect()
      cleanup()
      return { height, meter: meter && [meter.top - top, meter.height] }
    })
    expect(new Set(boxes.map(({ height }) => height)).size).toBe(1)
    expect(new Set(boxes.flatMap(({ meter }) => (meter ? [meter.join()] : []))).size).toBe(1)
  }
})
