import type { PetstoreService } from '../../src/testing.ts'

/** Sends a request with the key `demo` unless the test names another one. `json` makes it a POST with a JSON body. */
export async function send(
  service: PetstoreService,
  path: string,
  { key = 'demo', json, ...init }: RequestInit & { key?: string; json?: unknown } = {},
): Promise<Response> {
  const headers = new Headers(init.headers)
  if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${key}`)
  if (json !== undefined) headers.set('Content-Type', 'application/json')
  return service.fetch(`https://petstore.test${path}`, {
    method: json === undefined ? 'GET' : 'POST',
    ...init,
    headers,
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
}

export const list = (service: PetstoreService, init?: Parameters<typeof send>[2]): Promise<Response> =>
  send(service, '/v1/categories', init)

export const create = (service: PetstoreService, name: string, init?: RequestInit): Promise<Response> =>
  send(service, '/v1/categories', { ...init, json: { name } })

export const sendMessage = (service: PetstoreService, message: string, init?: RequestInit): Promise<Response> =>
  send(service, '/quickstart/messages', { ...init, json: { message } })

/** Lists the categories several times in sequence and returns the statuses. */
export async function listRepeatedly(service: PetstoreService, times: number): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let count = 0; count < times; count += 1) statuses.push((await list(service)).status)
  return statuses
}

/** A clock that only `elapse` moves. It starts at the start of a minute and of a day. */
export function createClock(): { now: () => number; elapse: (milliseconds: number) => void; readonly start: number } {
  const start = 20_000 * 86_400_000
  let time = start
  return {
    start,
    now: () => time,
    elapse: (milliseconds) => {
      time += milliseconds
    },
  }
}

/** A `sleep` whose calls end one at a time, the earliest first, at each `wake`. */
export function createAlarm(): {
  sleep: (milliseconds: number) => Promise<void>
  /** The milliseconds of each `sleep`. */
  readonly delays: readonly number[]
  wake: () => Promise<void>
} {
  const delays: number[] = []
  const sleepers: (() => void)[] = []
  return {
    delays,
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        delays.push(milliseconds)
        sleepers.push(resolve)
      }),
    wake: async () => {
      await settle()
      sleepers.shift()?.()
      await settle()
    },
  }
}

/** Waits for three turns of the event loop: enough for all that a request does without a timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
