import { createHash } from 'node:crypto'
import { operations } from '../../src/client.ts'
import { createPetstoreService, type Fault, type PetstoreService, type PlanName } from '../../src/testing.ts'
import type { Exchange, Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import type { VirtualTime } from './virtualTime.ts'

const banTime = 300_000
/** Longer than a request may take, in ms. */
const tooLate = 40_000

/** What stands at the other end, and the way there. */
export type Network = ReturnType<typeof createNetwork>

/** Who sends, as far as the network knows. */
export interface Sender {
  readonly name: string
  readonly isAlive: boolean
  /** Whether the tab shows, or has shown, what is behind a path. */
  readonly hasShown: (path: string) => boolean
}

const never = () => new Promise<never>(() => {})

export function createNetwork(time: VirtualTime, random: Random, ledger: Ledger) {
  let key = 'key-0'
  let keys = 0
  let faultRate = 0
  let service = openService('free')
  let earlier: PetstoreService[] = []
  let strangers = 0

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
    earlier.push(service)
    service = openService(plan)
  }

  const travel = async (ms: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    let abort = () => {}
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason)
    })
    signal.addEventListener('abort', abort)
    await Promise.race([time.sleep(ms), aborted]).finally(() => signal.removeEventListener('abort', abort))
  }

  const fault = (): Fault | 'late' =>
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

  async function exchange(request: Request, sender: Sender, seen: Exchange): Promise<Response> {
    const { signal } = request
    await travel(random.between(20, 150), signal)
    const wrong = seen.key === key && random.chance(faultRate) ? fault() : undefined
    const asked = service
    // Asked for and met in one step: no other request can get in between. So its entry is the next one, too.
    if (wrong && wrong !== 'late') asked.failNext(wrong)
    const place = asked.requests.length
    const respondWith = asked.fetch(request)
    const entry = asked.requests[place]
    if (entry) seen.entry = entry
    const response = await respondWith.finally(() => ledger.noteArrival(seen))
    await travel(wrong === 'late' ? tooLate : random.between(20, 150), signal)
    if (!sender.isAlive) return never()
    seen.status = response.status
    return response
  }

  /** Somebody else, with the same key and without our gate. */
  function askAsStranger(): Promise<Response> {
    strangers += 1
    return service.fetch(`${service.baseUrl}/categories`, { headers: { Authorization: `Bearer ${key}` } })
  }

  /** Uses up what is left of the key's window, without going beyond. */
  async function drain(): Promise<void> {
    const left = async () => {
      const { status, headers } = await askAsStranger()
      return status === 200 ? Number(headers.get('X-RateLimit-Remaining')) : 0
    }
    while ((await left()) > 0);
  }

  return {
    baseUrl: service.baseUrl,
    quickstartBaseUrl: service.quickstartBaseUrl,
    key: () => key,
    /** How the clients name the record of the present key. */
    record: () => recordName(service.baseUrl, key),
    fetchFrom: (sender: Sender) => (request: Request) => {
      if (!sender.isAlive) return never()
      const { url, method, headers } = request
      const path = new URL(url).pathname
      const used = headers.get('Authorization')?.slice('Bearer '.length) ?? ''
      const send = (text: string) => {
        const callId = /call-\d+/.exec(text)?.[0]
        const seen: Exchange = { tab: sender.name, key: used, method, path, callId, sentAt: time.now() }
        ledger.noteExchange(seen, recordName(service.baseUrl, used), sender.hasShown(path))
        return exchange(request, sender, seen)
      }
      return method === 'GET' ? send(path) : request.clone().text().then(send)
    },
    setFaultRate: (rate: number) => {
      faultRate = rate
    },
    /** The old key is refused from now on. */
    rotateKey: (plan: PlanName): void => {
      keys += 1
      key = `key-${keys}`
      replace(plan)
    },
    changePlan: replace,
    drain,
    /** Goes on until the key is banned. */
    provokeBan: async (): Promise<void> => {
      const banned = key
      const asked = service
      await drain()
      await askAsStranger()
      await time.sleep(1_100)
      for (let knocks = 0; knocks < 4; knocks += 1) {
        if (service !== asked) return
        const { status } = await askAsStranger()
        if (status === 403) ledger.noteInjectedBan(banned, time.now() + banTime)
      }
    },
    /** A new service for a new day. Gives how many requests of ours the old ones have in their journals. */
    endDay: (plan: PlanName): number => {
      const journals = [...earlier, service].reduce((sum, { requests }) => sum + requests.length, 0) - strangers
      replace(plan)
      earlier = []
      strangers = 0
      return journals
    },
  }
}

/** How the client names the record of a key. */
function recordName(baseUrl: string, key: string): string {
  return createHash('sha256').update(`${baseUrl}\n${key}`).digest('hex')
}
