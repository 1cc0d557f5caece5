import type { StandardSchemaV1 } from '@standard-schema/spec'
import { HandlerError } from './HandlerError.ts'
import type { Route } from './routes.ts'
import { untilAborted, withTimeout } from '../base/abort.ts'
import { readStream } from '../base/readStream.ts'
import { validate } from '../client/validate.ts'
import { parseExactJson } from '../contract/parseExactJson.ts'
import type { Clock } from '../base/Clock.ts'

/**
 * The operation's input, as the page's client was given it: the fields of the path, and those of the query or the body.
 *
 * @throws HandlerError with 400, 413 or 415; the signal's reason
 */
export async function readInput(request: Request, route: Route, limits: BodyLimits): Promise<unknown> {
  const { method, input: schema } = route.operation
  const texts = new Map(Object.entries(route.fields))
  const hasBody = method !== 'GET' && method !== 'DELETE'
  if (!hasBody) addQuery(texts, new URL(request.url).searchParams)
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
  const { issues = [] } = await validate(schema, input)
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
async function readBody(request: Request, { maxBodySize, clock }: BodyLimits): Promise<unknown> {
  if (Number(request.headers.get('Content-Length')) > maxBodySize) throw tooLarge()
  // Not 408: browsers would send the request again.
  const refuse = () => Promise.reject(new HandlerError(400, 'too-slow', 'Send it faster.'))
  const bytes = await untilAborted(request.signal, () =>
    withTimeout(readBytes(request, maxBodySize), maxBodyTime, clock, refuse),
  )
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

async function readBytes({ body }: Request, maxSize: number): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  const bytes = await readStream(body, maxSize).catch(() => {
    throw new HandlerError(400, 'incomplete', 'The request body broke off.')
  })
  if (!bytes) throw tooLarge()
  return bytes
}

function tooLarge(): HandlerError {
  return new HandlerError(413, 'too-large', 'The request body is too large.')
}
