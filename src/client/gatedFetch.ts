import type { Operation } from '../contract/defineOperation.ts'
import type { Addresses } from './buildRequest.ts'
import type { RespondedAttempt, ValidCall } from './Call.ts'

/*
 * Pages load this with the first request of other code. So it imports nothing that they have already: a bundler would have
 * to put that into a file of its own.
 */

/** A request of other code, as the client takes it. */
export interface GatedRequest extends Pick<ValidCall, 'operation' | 'request'> {
  readonly signal: AbortSignal
  readonly priority: ReturnType<ValidCall['priority']>
}

export interface GatedFetchOptions {
  readonly addresses: Addresses
  /** Sends a request from the step on that reads the key. */
  readonly send: (request: GatedRequest) => Promise<RespondedAttempt>
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Statuses whose response has no body (Fetch Standard, "null body status"). */
const withoutBody = new Set([204, 205, 304])

/**
 * A `fetch` for code that is not of this package: its requests get the key, wait at the gate, and teach it. Resolves with
 * the response whatever its status. Sends nothing twice but a GET whose response was lost.
 */
export function createGatedFetch({ addresses, send }: GatedFetchOptions): typeof globalThis.fetch {
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

  return async (resource, init) => {
    const request = new Request(resource, init)
    const operation = operationOf(request)
    const { url, method, headers, signal } = request
    const body = (await request.text()) || undefined
    const priority = init?.priority === 'low' ? 'background' : 'user'
    const { response } = await send({ operation, signal, priority, request: { url, method, body, headers } })
    if (response.text === undefined) throw new TypeError('The response has more bytes than maxResponseSize.')
    return new Response(withoutBody.has(response.status) ? null : response.text, response)
  }
}

/** A root-relative address is of the page's own origin, wherever the request goes. Without a page it is of none. */
function absolute(address: string): string {
  return address.startsWith('/') ? `${globalThis.location?.origin}${address}` : address
}

/** Nothing reads it: the response is returned as it is. */
const anything: Operation['output'] = {
  '~standard': { version: 1, vendor: 'petstore-react', validate: (value) => ({ value }) },
}
