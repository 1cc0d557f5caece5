import type { Operation } from '../contract/defineOperation.ts'
import type { Addresses } from './buildRequest.ts'
import type { Call, KeyedCall, ReadKey, RespondedAttempt } from './Call.ts'
import type { KeyedCallOptions } from './PetstoreClient.ts'

// Pages load this file at the first `client.fetch`. It imports types alone: a bundler would otherwise move code that the page
// also needs out of the page's first chunk.

/** Starts a call, which goes through `steps`. */
export type BeginCall = (
  operation: Operation,
  input: unknown,
  options: KeyedCallOptions,
  steps: (call: Call) => Promise<unknown>,
) => Promise<unknown>

interface Options {
  readonly addresses: Addresses
  /** The origin of the page, for root-relative addresses; `undefined` where there is none. */
  readonly origin: string | undefined
  readonly begin: BeginCall
  /** The steps after `dedupe`, which joins GETs and reads the key. Here nothing is joined, and `send` reads the key. */
  readonly sending: {
    readonly end: (last: (attempt: RespondedAttempt) => Promise<unknown>) => (call: KeyedCall) => Promise<unknown>
  }
  readonly readKey: ReadKey
  /** Throws if the client was closed since `fetch` was called. Once `begin` is called, closing aborts the call. */
  readonly checkOpen: () => void
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Statuses whose response has no body (Fetch Standard, "null body status"). */
const withoutBody = new Set([204, 205, 304])

/**
 * A `fetch` for code that is not of this package: its requests get the key, and the gate admits and counts them. Resolves with
 * the response whatever its status. Sends nothing twice but a GET that got no response.
 */
export function createGatedFetch({ addresses, origin, begin, sending, readKey, checkOpen }: Options): typeof fetch {
  /** Makes an operation of a request, for the steps, events and errors. Throws if the address must not get the key. */
  function operationOf({ url, method: verb }: Request): Operation {
    const base = (['service', 'quickstart'] as const).find((name) => {
      const address = addresses[name]
      const absolute = address?.startsWith('/') ? `${origin}${address}` : address
      return absolute !== undefined && url.startsWith(`${absolute}/`)
    })
    const method = methods.find((one) => one === verb)
    if (!base || !method) {
      throw new TypeError(
        `A ${verb} to ${new URL(url).origin} cannot be sent: baseUrl and quickstartBaseUrl get ${methods.join(', ')}.`,
      )
    }
    const replay = method === 'GET' ? 'safe' : 'only-if-refused'
    return { name: 'fetch', method, path: '/', base, output: anything, success: 'any-2xx', replay }
  }

  function send(operation: Operation, options: KeyedCallOptions, request: KeyedCall['request']) {
    return new Promise<RespondedAttempt>((resolve, reject) => {
      const sendCall = sending.end(async (attempt) => resolve(attempt))
      begin(operation, undefined, options, async (call) =>
        sendCall(Object.assign(call, { request, key: await readKey(call) })),
      ).catch(reject)
    })
  }

  return async (resource, given) => {
    const request = new Request(resource, given)
    const operation = operationOf(request)
    const { url, method, headers, signal } = request
    const bytes = await request.arrayBuffer()
    const body = bytes.byteLength > 0 ? bytes : undefined
    const priority = given?.priority === 'low' ? 'background' : 'user'
    checkOpen()
    const { response } = await send(operation, { signal, priority }, { url, method, body, headers })
    const { status, bytes: received } = response
    if (status === 0) throw new TypeError('The response is a redirect, which is not followed.')
    // An error whose body is too large, or has not come, is returned without it: its status says enough.
    if (received === undefined && status < 400) throw new TypeError('The response has more bytes than maxResponseSize.')
    // `fetch` may return a status that the constructor of `Response` refuses, such as 999.
    const isUsual = status >= 200 && status <= 599
    const init = isUsual ? response : { ...response, status: 200 }
    const returned = new Response(withoutBody.has(status) ? null : (received ?? null), init)
    if (!isUsual) Object.defineProperties(returned, { status: { value: status }, ok: { value: false } })
    // No option of `Response` sets `url`. `request.url` also keeps the request alive until here: Node aborts no
    // request that was garbage-collected (nodejs/undici#3644).
    return Object.defineProperty(returned, 'url', { value: request.url })
  }
}

/** A placeholder: the response is returned as it is, and nothing validates it. */
const anything: Operation['output'] = {
  '~standard': { version: 1, vendor: 'petstore-react', validate: (value) => ({ value }) },
}
