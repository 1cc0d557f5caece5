import type { CallSignal } from '../base/abort.ts'

/** A visitor's request, whatever object of a framework or of Node it comes from. */
export interface VisitorRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Pick<Headers, 'get' | 'has'>
  /** Aborted when the visitor is gone. */
  readonly signal: CallSignal
  /**
   * Calls `onChunk` with the parts of the body until it returns `false`, or `ended` aborts: the rest is not read then.
   * Rejects if the body breaks off.
   */
  readonly receive: (onChunk: (chunk: Uint8Array) => boolean, ended: CallSignal) => Promise<void>
  /** Makes a `Request` for the app, without the body. */
  readonly withoutBody: (signal: AbortSignal) => Request
}

/** The response to a visitor. */
export interface HandlerResponse {
  readonly status: number
  /** Each name is written in one way only. */
  readonly headers: Record<string, string>
  /** Empty where the response has none. */
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** Responds to a request. Never rejects. */
export type Exchange = (request: VisitorRequest) => Promise<HandlerResponse>

const exchanges = new WeakMap<object, Exchange>()

/** Lets `toNodeHandler` pass requests on without a `Request` and a `Response`, which take Node longer than the rest. */
export function setExchange(handler: object, exchange: Exchange): void {
  exchanges.set(handler, exchange)
}

/** The exchange of a handler of this package; `undefined` for any other function. */
export function exchangeOf(handler: object): Exchange | undefined {
  return exchanges.get(handler)
}

export function fromRequest(request: Request): VisitorRequest {
  const { method, url, headers, signal } = request
  return {
    method,
    url: new URL(url),
    headers,
    signal,
    receive: (onChunk, ended) => receiveStream(request.body, onChunk, ended),
    withoutBody: (ended) => new Request(url, { method, headers, signal: ended }),
  }
}

async function receiveStream(
  body: ReadableStream<Uint8Array> | null,
  onChunk: (chunk: Uint8Array) => boolean,
  ended: CallSignal,
): Promise<void> {
  if (!body) return
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  ended.addEventListener('abort', cancel)
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    if (!onChunk(value)) return cancel()
  }
}

export function toResponse({ status, headers, body }: HandlerResponse): Response {
  return new Response(body.length > 0 ? body : null, { status, headers })
}
