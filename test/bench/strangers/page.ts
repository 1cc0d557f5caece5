import { createPetstoreClient, operations } from '../../../src/client.ts'
import { reportingFetch } from './reportingFetch.ts'

export interface PageOptions {
  readonly baseUrl: string
  readonly client: 'petstore-react' | 'fetch'
  /** Unique among the tabs and their reloads. */
  readonly load: string
  readonly calls: number
}

declare global {
  interface Window {
    startCalls: (options: PageOptions) => void
  }
}

const apiKey = 'stranger'
/** Between two calls of a tab, in ms. */
const pause = 300

const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

interface Caller {
  readonly get: (petId: string) => Promise<unknown>
  readonly post: (name: string) => Promise<unknown>
}

/** The servers pass 20 requests in 10 s, or a little more; calls may wait until the limits have come and gone. */
function ours(baseUrl: string): Caller {
  const plan = { limit: 20, per: 10_000 }
  const client = createPetstoreClient({ baseUrl, apiKey, plan, retry: { maxWait: 180_000 }, fetch: reportingFetch })
  return {
    get: (petId) => client.call(operations.getPet, { petId }),
    post: (name) => client.createCategory({ name }),
  }
}

/** As many apps do it: three tries, with a pause that doubles. */
function plainFetch(baseUrl: string): Caller {
  const send = async (path: string, body?: unknown) => {
    for (let attempt = 1; ; attempt += 1) {
      const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
      try {
        const response = await reportingFetch(new Request(baseUrl + path, init))
        if (response.ok) return await response.json()
        throw new Error(`The service responded with ${response.status}.`)
      } catch (error) {
        if (attempt === 3) throw error
        await sleep(1_000 * 2 ** (attempt - 1))
      }
    }
  }
  return {
    get: (petId) => send(`/pets/${petId}`),
    post: (name) => send('/categories', { name }),
  }
}

/** Every fourth call is a POST. */
window.startCalls = async ({ baseUrl, client, load, calls }) => {
  const caller = client === 'petstore-react' ? ours(baseUrl) : plainFetch(baseUrl)
  for (let id = 0; id < calls; id += 1) {
    const call = id % 4 === 3 ? caller.post(`${load}-${id}`) : caller.get(`${load}-${id}`)
    const settled = (succeeded: boolean) => window.report({ type: 'settled', at: Date.now(), id, succeeded })
    void call.then(
      () => settled(true),
      () => settled(false),
    )
    await sleep(pause)
  }
}
