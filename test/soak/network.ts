import { createHash } from 'node:crypto'
import { operations } from '../../src/client.ts'
import { createPetstoreService, type Fault, type PetstoreService, type PlanName } from '../../src/testing.ts'
import type { Exchange, Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import { never, travel, type VirtualTime } from '../virtualTime.ts'

const banTime = 300_000
/** Longer than a request's timeout, in ms. */
const lateDelay = 40_000

/** The service and the network to it. */
export type Network = ReturnType<typeof createNetwork>

/** The part of a tab that the network knows. */
export interface Sender {
  readonly name: string
  readonly isAlive: boolean
  /** Whether the tab shows, or has shown, the resource at a path. */
  readonly hasShown: (path: string) => boolean
}

export function createNetwork(time: VirtualTime, random: Random, ledger: Ledger) {
  let key = 'key-0'
  let keys = 0
  let faultRate = 0
  let service = openService('free')
  let earlierServices: PetstoreService[] = []
  let otherRequests = 0
  /** The path of an address that always fails, and how. */
  let dead: { readonly path: string; readonly fault: Fault } | undefined

  function openService(plan: PlanName): PetstoreService {
    return createPetstoreService({
      plan,
      keys: [key],
      categories: [{ name: 'Dog' }, { name: 'Cat' }],
      ban: { after: 3, duration: banTime },
      retryAfter: random.pick(['seconds', 'http-date', 'fractional']),
      now: time.now,
      operations: [{ operation: operations.getPet, handle: ({ params }) => ({ body: { id: params['petId'] ?? '' } }) }],
    })
  }

  function replace(plan: PlanName): void {
    earlierServices.push(service)
    service = openService(plan)
  }

  async function exchange(request: Request, sender: Sender, seen: Exchange): Promise<Response> {
    const { signal } = request
    signal.throwIfAborted()
    await travel(time, random.between(20, 150), signal)
    const isDead = dead?.path === seen.path
    const injected = isDead ? dead?.fault : seen.key === key && random.chance(faultRate) ? pickFault(random) : undefined
    const current = service
    // Both calls happen synchronously, so no other request can consume the fault or the next entry.
    if (injected && injected !== 'late') current.failNext(injected)
    const entryIndex = current.requests.length
    const pendingResponse = current.fetch(request)
    const entry = current.requests[entryIndex]
    if (entry) seen.entry = entry
    const response = await pendingResponse.finally(() => ledger.noteArrival(seen))
    await travel(time, injected === 'late' ? lateDelay : random.between(20, 150), signal)
    if (!sender.isAlive) return never()
    seen.status = response.status
    return response
  }

  /** Sends a request from another program, which has the same API key but no gate. */
  function sendFromOtherProgram(): Promise<Response> {
    otherRequests += 1
    return service.fetch(`${service.baseUrl}/categories`, { headers: { Authorization: `Bearer ${key}` } })
  }

  /** Uses up the key's current window, without exceeding it. */
  async function exhaustQuota(): Promise<void> {
    const sendAndReadRemaining = async () => {
      const { status, headers } = await sendFromOtherProgram()
      return status === 200 ? Number(headers.get('X-RateLimit-Remaining')) : 0
    }
    while ((await sendAndReadRemaining()) > 0);
  }

  return {
    baseUrl: service.baseUrl,
    quickstartBaseUrl: service.quickstartBaseUrl,
    key: () => key,
    /** The name of the clients' record for the current key. */
    record: () => createHash('sha256').update(`${service.baseUrl}\n${key}`).digest('hex'),
    fetchFrom: (sender: Sender) => (request: Request) => {
      if (!sender.isAlive) return never()
      const { url, method, headers } = request
      const path = new URL(url).pathname
      const used = headers.get('Authorization')?.slice('Bearer '.length) ?? ''
      const send = (text: string) => {
        const callId = /call-\d+/.exec(text)?.[0]
        const seen: Exchange = { tab: sender.name, key: used, method, path, callId }
        ledger.noteExchange(seen, sender.hasShown(path))
        return exchange(request, sender, seen)
      }
      return method === 'GET' ? send(path) : request.clone().text().then(send)
    },
    setFaultRate: (rate: number) => {
      faultRate = rate
    },
    /** Lets each request to one address fail, and no others, until the returned function is called. */
    breakAddress: (path: string): (() => void) => {
      const usualRate = faultRate
      faultRate = 0
      dead = { path, fault: random.pick(deadFaults) }
      return () => {
        faultRate = usualRate
        dead = undefined
      }
    },
    /** The service refuses the old key from now on. */
    rotateKey: (plan: PlanName): void => {
      keys += 1
      key = `key-${keys}`
      replace(plan)
    },
    changePlan: replace,
    exhaustQuota,
    /** Sends requests until the key is banned. */
    provokeBan: async (): Promise<void> => {
      const bannedKey = key
      const current = service
      await exhaustQuota()
      await sendFromOtherProgram()
      await time.sleep(1_100)
      for (let attempt = 0; attempt < 4; attempt += 1) {
        if (service !== current) return
        const { status } = await sendFromOtherProgram()
        if (status === 403) ledger.noteInjectedBan(bannedKey, time.now() + banTime)
      }
    },
    /** Starts a new service. Returns how many requests of the tabs the old services recorded. */
    endDay: (): number => {
      const recorded =
        [...earlierServices, service].reduce((sum, { requests }) => sum + requests.length, 0) - otherRequests
      replace('free')
      earlierServices = []
      otherRequests = 0
      return recorded
    },
  }
}

const deadFaults: readonly Fault[] = [
  { status: 502 },
  { status: 503, headers: { 'Retry-After': '600' } },
  { connection: 'lost-before' },
]

const pickFault = (random: Random): Fault | 'late' =>
  random.pick<Fault | 'late'>([
    { status: 500 },
    { status: 502 },
    { status: 503, headers: { 'Retry-After': '5' } },
    { status: 504 },
    { status: 401 },
    { status: 429 },
    { status: 429, headers: { 'Retry-After': '20' } },
    { connection: 'lost-before' },
    { connection: 'lost-after' },
    { body: 'malformed-json' },
    { body: 'wrong-shape' },
    'late',
  ])
