import type { PetstoreServiceOptions } from '../../src/testing.ts'
import { describeFlows } from './describeFlows.ts'

const minute = 60_000

/** A quota of six requests, whose window ends `ms` after the call, whatever the time of day is. */
function endingIn(ms: number): PetstoreServiceOptions {
  const start = Date.now()
  const per = 60 * minute
  return { plan: [{ limit: 6, per }], now: () => Date.now() - (start % per) + per - ms }
}

describeFlows('RateLimitBadge', [
  {
    name: 'Running low, used up',
    scene: 'badge',
    service: () => endingIn(45.25 * minute),
    async steps({ step, press }) {
      await step('Tab', () => press('Tab'))
      await step('Enter', () => press('Return'))
      await step('Enter', () => press('Return'))
      await step('Enter', () => press('Return'))
      await step('Enter', () => press('Return'))
      await step('Enter', () => press('Return'))
      await step('Enter', () => press('Return'))
    },
  },
  {
    name: 'Paused, restored',
    scene: 'badge',
    async steps({ step, press, service }) {
      await step('Tab', () => press('Tab'))
      await step('Enter, and the service wants a pause', () => {
        service.failNext({ status: 429, headers: { 'Retry-After': '8' } })
        press('Return')
      })
      await step('The pause is over', () => undefined, { within: 15_000 })
    },
  },
])
