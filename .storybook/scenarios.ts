import type { Fault, PetstoreService, PetstoreServiceOptions } from '../src/testing.ts'

/** Something that a service can be like, to be chosen in the toolbar for any story. */
export interface Scenario {
  readonly title: string
  readonly options?: PetstoreServiceOptions
  /** The key that the story uses. Default `demo`, which the service accepts. */
  readonly apiKey?: string
  /** What is to happen to the service before the story starts. */
  readonly prepare?: (service: PetstoreService) => void
  /** Stands between the story and the service. */
  readonly fetch?: (service: PetstoreService) => PetstoreService['fetch']
}

/** For longer than anybody looks at a story. */
const always = (fault: Fault) => (service: PetstoreService) => service.failNext(fault, 1_000)

const error = (status: number, code: string, message: string) => JSON.stringify({ code, message, status })

const usedUpDay = () => {
  const wait = 6 * 3_600
  return {
    status: 429,
    headers: {
      'Retry-After': String(wait),
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(Math.floor(Date.now() / 1_000) + wait),
    },
  }
}

/** In the order of the toolbar. */
export const scenarios = {
  ok: { title: 'All is well' },
  slow: { title: 'Slow (2.5 s)', options: { latency: 2_500 } },
  empty: { title: 'No categories', options: { categories: [] } },
  one: { title: 'One category', options: { categories: [{ name: 'Dog', description: 'Loyal and playful' }] } },
  many: { title: '100,000 categories', options: { categories: 100_000 } },
  'bad-request': {
    title: '400 bad request',
    prepare: always({ status: 400, body: error(400, 'invalid_name', 'The name is not allowed here.') }),
  },
  unauthorized: { title: '401 wrong key', apiKey: 'wrong' },
  'rate-limited': {
    title: '429, for 10 seconds',
    prepare: (service) => service.failNext({ status: 429, headers: { 'Retry-After': '10' } }),
  },
  'rate-limited-long': {
    title: '429, for half an hour',
    prepare: (service) => service.failNext({ status: 429, headers: { 'Retry-After': '1800' } }),
  },
  'used-up': { title: 'Daily limit used up', prepare: (service) => always(usedUpDay())(service) },
  banned: {
    title: 'Key banned',
    prepare: always({
      status: 403,
      headers: { 'Retry-After': '300' },
      body: error(403, 'key_banned', 'The API key is banned for the time being.'),
    }),
  },
  offline: { title: 'Offline', prepare: always({ connection: 'lost-before' }) },
  malformed: { title: 'Malformed responses', prepare: always({ body: 'malformed-json' }) },
  'lost-response': { title: 'Lost responses', prepare: always({ connection: 'lost-after' }) },
  'stale-then-error': {
    title: 'First well, then 500',
    fetch: (service) => async (input, init) => {
      if (service.requests.length > 0) service.failNext({ status: 500 })
      return service.fetch(input, init)
    },
  },
} satisfies Readonly<Record<string, Scenario>>

export type ScenarioName = keyof typeof scenarios
