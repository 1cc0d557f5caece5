import {
  createPetstoreClient,
  isPetstoreError,
  type PetstoreClient,
  type RateLimitState,
} from '../../../../src/client.ts'
import { createPetstoreService } from '../../../../src/testing.ts'
import { clients } from './clients.ts'

/** The name of a call's failure: the kind of ours, or the name of any other. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'none'
  } catch (error) {
    if (isPetstoreError(error)) return error.kind
    return error instanceof DOMException || error instanceof Error ? error.name : typeof error
  }
}

/** Resolves once the client knows of a cool-down. */
function coolingDown({ rateLimit }: PetstoreClient): Promise<RateLimitState> {
  return new Promise((resolve) => {
    const stop = rateLimit.subscribe(() => {
      const state = rateLimit.getSnapshot()
      if (state.status !== 'cooling-down') return
      stop()
      resolve(state)
    })
  })
}

/** What a server does for one request. Each of them returns what a caller sees, as JSON. */
export const steps: Readonly<Record<string, (address: URL) => Promise<unknown>>> = {
  async ids() {
    const listed = await clients.ids.listCategories()
    const created = await clients.ids.createCategory({ name: 'Cät' })
    const refused = await failureOf(clients.wrongKey.listCategories())
    return { listed, created, refused, listedAgain: await clients.ids.listCategories() }
  },

  // The first client meets the refusal. A second one with the same key calls during the cool-down, and so does a caller who
  // gives up while waiting.
  async refused() {
    const known = coolingDown(clients.alsoRefused)
    const list = clients.refused.listCategories()
    const { status } = await known
    const creation = clients.alsoRefused.createCategory({ name: 'Cat' })
    const controller = new AbortController()
    const aborted = failureOf(clients.alsoRefused.createCategory({ name: 'Never' }, { signal: controller.signal }))
    controller.abort()
    await list
    return { status, aborted: await aborted, created: await creation }
  },

  async refusedForAnHour() {
    const call = () => clients.refusedForAnHour.listCategories()
    const failures = [await failureOf(call()), await failureOf(call())]
    const { status, retryAt = 0 } = clients.refusedForAnHour.rateLimit.getSnapshot()
    return { failures, status, minutes: Math.round((retryAt - Date.now()) / 60_000) }
  },

  async aborted() {
    const controller = new AbortController()
    const call = failureOf(clients.slow.listCategories({ signal: controller.signal }))
    setTimeout(() => controller.abort(), 100) // the request is under way
    return { aborted: await call, next: await clients.slow.listCategories() }
  },

  async timedOut() {
    return failureOf(clients.impatient.listCategories())
  },

  async list() {
    return clients.busy.listCategories()
  },

  async create({ searchParams }) {
    return clients.busy.createCategory({ name: searchParams.get('name') ?? '' })
  },

  // A page's client: it has no key, and its requests come back to this server over the network.
  async visitor({ searchParams }) {
    const origin = searchParams.get('origin') ?? ''
    const visitor = createPetstoreClient({
      baseUrl: `${origin}/visited/v1`,
      quickstartBaseUrl: `${origin}/visited/quickstart`,
      retry: { maxWait: 20_000 },
      fetch: (request) => {
        const ours = new Request(request)
        ours.headers.set('Cookie', 'session=ann')
        return fetch(ours)
      },
    })
    const created = await visitor.createCategory({ name: 'Cät' })
    const listed = await visitor.listCategories()
    const { status } = await visitor.sendMessage({ message: 'Hello' })
    const stranger = createPetstoreClient({ baseUrl: `${origin}/visited/v1` })
    return { created, listed, status, stranger: await failureOf(stranger.listCategories()) }
  },

  // The service in memory, as an app's tests use it.
  async inMemory() {
    const service = createPetstoreService({ categories: [{ id: '9007199254740993', name: 'Dög' }] })
    const { baseUrl, fetch: serviceFetch } = service
    const client = createPetstoreClient({ baseUrl, apiKey: 'demo', fetch: serviceFetch })
    return { listed: await client.listCategories(), requests: service.requests.length }
  },
}
