import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { createPetstoreClient, PetstoreProvider, RateLimitBadge, type RateLimitState } from '../../src/index.ts'

afterEach(cleanup)

function renderIn(state: RateLimitState): void {
  const rateLimit = { getSnapshot: () => state, subscribe: () => () => {}, reset: () => Promise.resolve() }
  const client = { ...createPetstoreClient({ baseUrl: 'https://pets.test/v1' }), rateLimit }
  render(
    <PetstoreProvider client={client}>
      <RateLimitBadge compact />
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
  })
  const name = 'API requests: Paused. Resumes in 60 minutes.'
  await expect.element(page.getByRole('group', { name, exact: true })).toBeVisible()
})

test('M3 the meter has a text value', async () => {
  renderIn({ status: 'low', limit: 60, remaining: 12, resetAt: undefined, retryAt: undefined })
  const meter = page.getByRole('meter', { name: 'Requests left' })
  await expect.element(meter).toHaveAttribute('aria-valuetext', '12 of 60 requests left')
  await expect.element(meter).toBeVisible()
})
