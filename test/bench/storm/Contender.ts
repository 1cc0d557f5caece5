import type { Planner } from './planner.ts'

export type Priority = 'user' | 'background'

/** A client as an app on one page has it. Both methods reject where the app would hear of a failure. */
export interface Caller {
  /** GET /pets/{id}: gives what the body holds. */
  get(id: string, priority: Priority): Promise<unknown>
  /** POST /categories. */
  post(name: string, priority: Priority): Promise<unknown>
  /** The page goes. Whatever it still had under way is cut off by the network in any case. */
  close?(): void
}

export type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/** What a page gives to a client. */
export interface PageEnvironment {
  /** Ends with `/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: Fetch
  /** Whether callers would rather wait than hear of a failure, however long it takes. */
  readonly isPatient: boolean
  /** Unique. */
  readonly pageId: string
}

export interface Contender {
  readonly name: string
  /** How it is set up, for the reader of the tables. */
  readonly settings: string
  /** Begins a run; the function that it gives is called for each page. Pages share what clients share between tabs. */
  start(planner: Planner): (page: PageEnvironment) => Caller
}

/** An error of a response, for clients that leave its making to the app. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'
  readonly response: Response

  constructor(response: Response) {
    super(`The service responded to ${response.status}.`)
    this.response = response
  }
}

/** The plain way to send one request, for clients that take a function. */
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
