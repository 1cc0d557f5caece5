import type { Operation } from '../contract/defineOperation.ts'
import { type Addresses, pageOrigin } from './buildRequest.ts'
import type { Call, KeyedCall, RespondedAttempt } from './Call.ts'
import type { KeyedCallOptions } from './PetstoreClient.ts'

/*
 * Pages load this with the first request of other code. So it imports nothing that they have already: a bundler would have
 * to put that into a file of its own.
 */

/** Makes a call and lets it walk these steps. */
export type BeginCall = (
  operation: Operation,
  givenInput: unknown,
  options: KeyedCallOptions,
  steps: (call: Call) => Promise<unknown>,
) => Promise<unknown>

export interface GatedFetchOptions {
  readonly addresses: Addresses
  readonly begin: BeginCall
  /** The steps after the one that reads the key. */
  readonly steps: {
    readonly end: (last: (attempt: RespondedAttempt) => Promise<unknown>) => (call: KeyedCall) => Promise<unknown>
  }
  readonly readKey: (call: Call) => Promise<string | undefined>
  /** Aborted when the client is closed. A call that has begun hears of it by itself. */
  readonly closed: AbortSignal
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Statuses whose response has no body (Fetch Standard, "null body status"). */
const withoutBody = new Set([204, 205, 304])

/**
 * A `fetch` for code that is not of this package: its requests get the key, wait at the gate, and teach it. Resolves with
 * the response whatever its status. Sends nothing twice but a GET whose response was lost.
 */
export function createGatedFetch({
  addresses,
  begin,
  steps,
  readKey,
  closed,
}: GatedFetchOptions): typeof globalThis.fetch {
  /** The operation that events and errors name, and that says where the key may go. */
  function operationOf({ url, method: given }: Request): Operation {
    const base = (['service', 'quickstart'] as const).find((name) => {
      const address = addresses[name]
      return address !== undefined && url.startsWith(`${absolute(address)}/`)
    })
    const method = methods.find((one) => one === given)
    if (!base || !method) {
      const { origin } = new URL(url)
      throw new TypeError(
        `A ${given} to ${origin} cannot be sent: baseUrl and quickstartBaseUrl get ${methods.join(', ')}.`,
      )
    }
    const replay = method === 'GET' ? 'safe' : 'only-if-refused'
    return { name: 'fetch', method, path: '/', base, output: anything, success: 'any-2xx', replay }
  }

  /** Resolves with the first response, whatever its status. */
  function send(
    operation: Operation,
    options: KeyedCallOptions,
    request: KeyedCall['request'],
  ): Promise<RespondedAttempt> {
    return new Promise((resolve, reject) => {
      const walk = steps.end(async (attempt) => resolve(attempt))
      begin(operation, undefined, options, async (call) =>
        walk(Object.assign(call, { request, key: await readKey(call) })),
      ).catch(reject)
    })
  }

  return async (resource, init) => {
    const request = new Request(resource, init)
    const operation = operationOf(request)
    const { url, method, headers, signal } = request
    const bytes = await request.arrayBuffer()
    const body = bytes.byteLength > 0 ? bytes : undefined
    const priority = init?.priority === 'low' ? 'background' : 'user'
    closed.throwIfAborted()
    const { response } = await send(operation, { signal, priority }, { url, method, body, headers })
    const { status, bytes: received } = response
    if (status === 0) throw new TypeError('The response is a redirect, which is not followed.')
    // The status of an error says enough without its body.
    if (received === undefined && status < 400) throw new TypeError('The response has more bytes than maxResponseSize.')
    const returned = new Response(withoutBody.has(status) ? null : (received ?? null), response)
    // Only a `fetch` can set it. The request stays referenced: Node aborts none that was garbage-collected (nodejs/undici#3644).
    return Object.defineProperty(returned, 'url', { value: request.url })
  }
}

/** A root-relative address is of the page's own origin, wherever the request goes. Without a page it is of none. */
function absolute(address: string): string {
  return address.startsWith('/') ? `${pageOrigin()}${address}` : address
}

/** Nothing reads it: the response is returned as it is. */
const anything: Operation['output'] = {
  '~standard': { version: 1, vendor: 'petstore-react', validate: (value) => ({ value }) },
}
