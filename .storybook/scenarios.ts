import type { PetstoreService, PetstoreServiceOptions } from '../src/testing.ts'
import { alwaysFail, refusal } from './faults.ts'

/** A way in which the mock service can behave. The toolbar applies it to any story. */
export interface Scenario {
  readonly title: string
  readonly options?: PetstoreServiceOptions
  /** The API key that the story uses. Default `demo`, which the service accepts. */
  readonly apiKey?: string
  /** Called with the service before the story starts. */
  readonly prepare?: (service: PetstoreService) => void
  /** Returns the `fetch` that the story uses instead of the service's. */
  readonly fetch?: (service: PetstoreService) => PetstoreService['fetch']
}

/** In the order of the toolbar. */
export const scenarios = {
  ok: { title: 'Healthy' },
  slow: { title: 'Slow (2.5 s)', options: { latency: 2_500 } },
  empty: { title: 'No categories', options: { categories: [] } },
  one: { title: 'One category', options: { categories: [{ name: 'Dog', description: 'Loyal and playful' }] } },
  many: { title: '100,000 categories', options: { categories: 100_000 } },
  'bad-request': {
    title: '400 bad request',
    prepare: alwaysFail(refusal(400, 'invalid_name', 'The name is not allowed here.')),
  },
  unauthorized: { title: '401 wrong API key', apiKey: 'wrong' },
  'rate-limited': {
    title: '429, retry after 10 seconds',
    prepare: (service) => service.failNext({ status: 429, headers: { 'Retry-After': '10' } }),
  },
  'rate-limited-long': {
    title: '429, retry after 30 minutes',
    prepare: (service) => service.failNext({ status: 429, headers: { 'Retry-After': '1800' } }),
  },
  'used-up': {
    title: 'Daily limit reached',
    // Six hours before the reset, counted from the start of the story: a page may have loaded long before.
    prepare: (service) =>
      alwaysFail({
        status: 429,
        headers: {
          'Retry-After': '21600',
          'X-RateLimit-Limit': '1000',
          'X-RateLimit-Remaining': '0',
          'X-RateLimit-Reset': String(Math.floor(Date.now() / 1_000) + 21_600),
        },
      })(service),
  },
  'key-paused': {
    title: 'API key paused by the service', // a temporary ban, as the labels call it
    prepare: alwaysFail({
      ...refusal(403, 'key_banned', 'The API key is banned for the time being.'),
      headers: { 'Retry-After': '300' },
    }),
  },
  offline: { title: 'Service unreachable', prepare: alwaysFail({ connection: 'lost-before' }) }, // links have this id
  malformed: { title: 'Malformed responses', prepare: alwaysFail({ body: 'malformed-json' }) },
  'lost-response': { title: 'Lost responses', prepare: alwaysFail({ connection: 'lost-after' }) },
  'success-then-500': {
    title: 'Succeeds, then 500',
    fetch: (service) => async (input, init) => {
      if (service.requests.length > 0) service.failNext({ status: 500 })
      return service.fetch(input, init)
    },
  },
} satisfies Readonly<Record<string, Scenario>>

export type ScenarioName = keyof typeof scenarios
