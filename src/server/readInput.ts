import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { VisitorRequest } from './exchange.ts'
import { HandlerError } from './HandlerError.ts'
import type { Route } from './routes.ts'
import { CallController, type CallSignal, followSignal, untilAborted } from '../base/abort.ts'
import { parseExactJson } from '../contract/parseExactJson.ts'
import type { Clock } from '../base/Clock.ts'

/**
 * The operation's input, as the page's client was given it: the fields of the path, and those of the query or the body.
 *
 * @throws HandlerError with 400, 413 or 415; the signal's reason
 */
export async function readInput(request: VisitorRequest, route: Route, limits: BodyLimits): Promise<unknown> {
  const { method, input: schema } = route.operation
  const texts = new Map(Object.entries(route.fields))
  const hasBody = method !== 'GET' && method !== 'DELETE'
  if (!hasBody) addQuery(texts, request.url.searchParams)
  const body = hasBody ? await readBody(request, limits) : undefined
  if (texts.size === 0) return body
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new HandlerError(400, 'not-an-object', 'The request body is not a JSON object.')
  }
  const input = { ...body, ...Object.fromEntries(texts) }
  return schema ? withTypes(schema, input, texts) : input
}

/** A client writes each field once. Of two values, this server and the service might read different ones. */
function addQuery(texts: Map<string, string>, query: URLSearchParams): void {
  for (const [name, value] of query) {
    if (texts.has(name)) throw new HandlerError(400, 'repeated-field', 'A field stands in the address twice.')
    texts.set(name, value)
  }
}

/** An address has texts alone. Where the schema refuses one, it stood for the number or truth value that it spells. */
async function withTypes(
  schema: StandardSchemaV1,
  input: Readonly<Record<string, unknown>>,
  texts: ReadonlyMap<string, string>,
): Promise<unknown> {
  const { issues = [] } = await schema['~standard'].validate(input)
  const typed = new Map(Object.entries(input))
  for (const { path: [first] = [] } of issues) {
    const name = String(typeof first === 'object' ? first.key : first)
    const text = texts.get(name)
    if (text !== undefined) typed.set(name, spelledValue(text))
  }
  return Object.fromEntries(typed)
}

function spelledValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  return String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text
}

interface BodyLimits {
  /** Bytes. */
  readonly maxBodySize: number
  readonly clock: Clock
}

/** ms from the first to the last byte. */
const maxBodyTime = 10_000

/**
 * The JSON body of a request; `undefined` where it is empty.
 *
 * @throws HandlerError with 400, 413 or 415; the signal's reason
 */
async function readBody(request: VisitorRequest, { maxBodySize, clock }: BodyLimits): Promise<unknown> {
  if (Number(request.headers.get('Content-Length')) > maxBodySize) throw tooLarge()
  const controller = new CallController()
  const stopFollowing = followSignal(request.signal, controller)
  const cancelTimer = clock.wakeAfter(maxBodyTime, () =>
    // Not 408: browsers would send the request again.
    controller.abort(new HandlerError(400, 'too-slow', 'Send it faster.')),
  )
  let bytes: Uint8Array
  try {
    bytes = await untilAborted(controller, () => readBytes(request, maxBodySize, controller))
  } finally {
    cancelTimer()
    stopFollowing()
  }
  if (bytes.length === 0) return undefined
  // A form of another site can send a body, but not of this type.
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('Content-Type') ?? '')) {
    throw new HandlerError(415, 'not-json', 'Send the body with the Content-Type application/json.')
  }
  try {
    return parseExactJson(decoder.decode(bytes))
  } catch {
    throw new HandlerError(400, 'not-json', 'The request body is not JSON.')
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Counts bytes as they arrive: Content-Length may be missing. */
async function readBytes({ receive }: VisitorRequest, maxSize: number, ended: CallSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const add = (chunk: Uint8Array) => {
    chunks.push(chunk)
    size += chunk.byteLength
    return size <= maxSize
  }
  await receive(add, ended).catch(() => {
    throw new HandlerError(400, 'incomplete', 'The request body broke off.')
  })
  if (size > maxSize) throw tooLarge()
  const [first = new Uint8Array()] = chunks
  return chunks.length > 1 ? join(chunks, size) : first
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.byteLength
  }
  return bytes
}

function tooLarge(): HandlerError {
  return new HandlerError(413, 'too-large', 'The request body is too large.')
}
