import type { Planner } from './planner.ts'

export type Priority = 'user' | 'background'

/** The client of one page. Both methods reject when the app would get an error. */
export interface PageClient {
  /** GET /pets/{id}: resolves with the body. */
  readonly get: (id: string, priority: Priority) => Promise<unknown>
  /** POST /categories. */
  readonly post: (name: string, priority: Priority) => Promise<unknown>
  /** Called when the page is closed. The network ends its requests in any case. */
  readonly close?: () => void
}

export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/** What a page passes to its client. */
export interface PageEnvironment {
  /** Ends with `/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: Fetch
  /** Whether the app accepts any wait rather than an error. */
  readonly waitsForever: boolean
  /** Different for each page. */
  readonly pageId: string
}

export interface Contender {
  readonly name: string
  /** The options of the client, for the reader of the tables. */
  readonly settings: string
  /** Starts a run. The returned function opens a page; pages share what this client shares across tabs. */
  readonly start: (planner: Planner) => (page: PageEnvironment) => PageClient
}

/** An error status, for clients that leave errors to the app. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'
  readonly response: Response

  constructor(response: Response) {
    super(`The service responded with ${response.status}.`)
    this.response = response
  }
}

/** Sends one request with `fetch`, for clients that take a function. */
export async function sendOnce(
  { baseUrl, apiKey, fetch }: PageEnvironment,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(baseUrl + path, init)
  if (!response.ok) throw new ResponseError(response)
  return response.json()
}
