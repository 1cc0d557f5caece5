import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import '../../src/styles.css'
import { unknownRateLimit } from '../../src/client/clientRateLimit.ts'
import { createPetstoreClient, PetstoreProvider, RateLimitBadge, type RateLimitState } from '../../src/index.ts'

afterEach(cleanup)

function renderIn(state: RateLimitState, compact = true, width = 416): void {
  const real = createPetstoreClient({ baseUrl: 'https://pets.test/v1' })
  const subscribe: typeof real.subscribe = (listener) => {
    // The full badge says how many calls wait: here one.
    const call = { at: 0, operation: 'listCategories', callId: 'a', attempt: 1, priority: 'user', duration: 0 } as const
    if (!compact) listener({ ...call, type: 'queued' })
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
  renderIn({
    ...unknownRateLimit,
    status: 'cooling-down',
    limit: 60,
    retryAt: Date.now() + 3_599_000,
    waitReason: 'rate-limit',
  })
  const name = /^API requests: Paused until .+\.$/
  await expect.element(page.getByRole('group', { name })).toBeVisible()
})

test('C2 from 160 px on no word of the title breaks, whether a call waits or not', () => {
  for (const retryAt of [undefined, Date.now() + 40_000]) {
    for (const width of [160, 200, 220]) {
      renderIn({ ...unknownRateLimit, status: 'cooling-down', retryAt }, false, width)
      expect(page.getByText('1 waiting').elements()).toHaveLength(retryAt === undefined ? 0 : 1)
      const title = page.getByText('API requests', { exact: true }).element().firstChild ?? document
      const word = document.createRange()
      word.setStart(title, 'API '.length)
      word.setEnd(title, 'API requests'.length)
      expect(word.getClientRects()).toHaveLength(1)
      cleanup()
    }
  }
})

test('C3 the full badge is as high in every state, its track is at the same place, and no line is empty between texts', () => {
  const resetAt = Date.now() + 40_000
  const quota = { limit: 60, remaining: 57, resetAt, retryAt: undefined, waitReason: undefined }
  const tomorrow = Date.now() + 86_400_000
  const states: readonly RateLimitState[] = [
    unknownRateLimit,
    { status: 'ok', ...quota },
    { status: 'low', ...quota, remaining: 7 },
    { status: 'exhausted', ...quota, remaining: 0, resetAt: tomorrow, retryAt: tomorrow, waitReason: 'rate-limit' },
    { status: 'exhausted', ...quota, remaining: 0, retryAt: resetAt, waitReason: 'rate-limit' },
    { ...unknownRateLimit, status: 'cooling-down', retryAt: resetAt },
    { ...unknownRateLimit, limit: 60 },
    { status: 'ok', ...quota, limit: undefined },
    { status: 'ok', ...quota, retryAt: resetAt, waitReason: 'connection' },
  ]
  // In the narrow badge, the longest state takes two lines.
  for (const { width, trackPlaces } of [
    { width: 416, trackPlaces: 1 },
    { width: 288, trackPlaces: 2 },
  ]) {
    const boxes = states.map((state) => {
      renderIn(state, false, width)
      const badge = page.getByRole('group').element()
      const { top, height } = badge.getBoundingClientRect()
      const track = badge.querySelector('.petstore-rate-limit-badge-bar')?.getBoundingClientRect()
      const parts = [...badge.children].map((part) => part.getBoundingClientRect())
      const gaps = parts.slice(1).map((part, index) => part.top - (parts[index]?.bottom ?? 0))
      cleanup()
      return { height, track: track && track.top - top, gap: Math.max(...gaps) }
    })
    expect(new Set(boxes.map(({ height }) => height)).size).toBe(1)
    // Where only the limit is unknown, there is no track: an empty one would say that nothing is left.
    expect(boxes.filter(({ track }) => track === undefined)).toHaveLength(1)
    expect(new Set(boxes.map(({ track }) => track)).size).toBe(trackPlaces + 1)
    expect(Math.max(...boxes.map(({ gap }) => gap))).toBeLessThan(8)
  }
})
