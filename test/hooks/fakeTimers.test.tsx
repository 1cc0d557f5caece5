import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CategoryList, RateLimitBadge } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { renderWithPetstore } from '../../src/testing/react.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

// Web Crypto takes real time, for which fake timers do not wait. Here it never ends: no call may need a hash.
beforeEach(() => void vi.spyOn(crypto.subtle, 'digest').mockReturnValue(new Promise(() => {})))

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const statuses = ({ requests }: ReturnType<typeof createPetstoreService>) => requests.map(({ status }) => status)

function createCoolingService() {
  const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
  service.failNext({ status: 429, headers: { 'Retry-After': '42' } })
  return service
}

describe('under fake timers that stand still', () => {
  beforeEach(() => void vi.useFakeTimers())

  test('a cool-down of 42 s ends once the test has advanced the clock that far', async () => {
    const { service } = renderWithPetstore(<CategoryList />, { service: createCoolingService() })
    await pass(0)
    expect(statuses(service)).toEqual([429])
    await pass(41_000)
    expect(statuses(service)).toEqual([429])
    await pass(5_000) // the gate adds up to a second of jitter
    expect(statuses(service)).toEqual([429, 200])
    expect(screen.getByText('Dog').isConnected).toBe(true)
  })

  test('half of a latency passes before the service gets the request, half before its response arrives', async () => {
    const { service } = renderWithPetstore(<CategoryList />, { service: createPetstoreService({ latency: 2_000 }) })
    await pass(999)
    expect(service.requests).toHaveLength(0)
    await pass(1_001)
    expect(statuses(service)).toEqual([200])
  })
})

test('under fake timers that advance, user-event and `findBy` work too', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
  const { user } = renderWithPetstore(
    <>
      <RateLimitBadge />
      <CategoryList actions={({ name }) => <button type="button">{`Choose ${name}`}</button>} />
    </>,
    { service, userEvent },
  )
  const button = await screen.findByRole('button', { name: 'Choose Dog' })
  await user.click(button)
  expect(document.activeElement).toBe(button)
})
