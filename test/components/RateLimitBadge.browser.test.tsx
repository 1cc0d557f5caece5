import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import '../../src/styles.css'
import { createPetstoreClient, PetstoreProvider, RateLimitBadge, type RateLimitState } from '../../src/index.ts'

afterEach(cleanup)

function renderIn(state: RateLimitState, compact = true): void {
  const real = createPetstoreClient({ baseUrl: 'https://pets.test/v1' })
  const client = { ...real, rateLimit: { ...real.rateLimit, getSnapshot: () => state } }
  render(
    <PetstoreProvider client={client}>
      <RateLimitBadge compact={compact} />
    </PetstoreProvider>,
  )
}

test('P2 a hidden text names the compact badge, including the countdown', async () => {
  renderIn({
    status: 'cooling-down',
    limit: 60,
    remaining: undefined,
    resetAt: undefined,
    retryAt: Date.now() + 3_599_000,
    waitReason: 'rate-limit',
  })
  const name = /^API requests: Paused until .+\. Nothing is waiting$/
  await expect.element(page.getByRole('group', { name })).toBeVisible()
})

test('C3 the full badge is as high before the first response as after it', () => {
  const nothing = {
    limit: undefined,
    remaining: undefined,
    resetAt: undefined,
    retryAt: undefined,
    waitReason: undefined,
  }
  const heightIn = (state: RateLimitState) => {
    renderIn(state, false)
    const { height } = page.getByRole('group').element().getBoundingClientRect()
    cleanup()
    return height
  }
  const unknown = heightIn({ status: 'unknown', ...nothing })
  const resetAt = Date.now() + 40_000
  expect(heightIn({ status: 'ok', limit: 60, remaining: 57, resetAt, retryAt: undefined, waitReason: undefined })).toBe(
    unknown,
  )
  expect(heightIn({ status: 'low', limit: 60, remaining: 7, resetAt, retryAt: undefined, waitReason: undefined })).toBe(
    unknown,
  )
  expect(heightIn({ status: 'cooling-down', ...nothing, retryAt: resetAt })).toBe(unknown)
})
