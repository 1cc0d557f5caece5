import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../../../src/testing.ts'

/** More digits than a number holds. */
export const longId = '9007199254740993'
/** The largest int64. */
export const largestId = '9223372036854775807'

/** Longer than any check may take, in ms. */
const never = 600_000

/** Only the first request gets no response in time. */
function firstIsLate(): () => number {
  let requests = 0
  return () => {
    requests += 1
    return requests === 1 ? never : 0
  }
}

/** The services around one runtime: one for each check that counts requests, so that none meets the quota of another. */
export function createServices() {
  // One request in a cool-down bans the key, and then everything fails.
  const create = (options: PetstoreServiceOptions = {}): PetstoreService =>
    createPetstoreService({ plan: 'business', ban: { after: 0, grace: 0 }, ...options })
  const longIds = { categories: [{ id: longId, name: 'Dög' }], firstId: largestId }
  return {
    ids: create(longIds),
    refused: create({ categories: [{ name: 'Dog' }] }),
    refusedForAnHour: create(),
    slow: create({ categories: [{ name: 'Dog' }], latency: firstIsLate() }),
    late: create({ latency: never }),
    busy: create({ categories: [{ name: 'Dog' }], latency: 100 }),
    handler: create(longIds),
    reloaded: create(longIds),
    visited: create(longIds),
  }
}

export type Services = ReturnType<typeof createServices>
