import type { StandardSchemaV1 } from '@standard-schema/spec'
import { HandlerError } from './HandlerError.ts'
import type { Route } from './routes.ts'
import { untilAborted, withTimeout } from '../base/abort.ts'
import { readStream } from '../base/readStream.ts'
import { validate } from '../client/validate.ts'
import { parseExactJson } from '../contract/parseExactJson.ts'
import type { Clock } from '../base/Clock.ts'

/**
 * The operation's input as the page passed it to its client: the fields of the path, and those of the query or the body.
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
  return schema ? restoreTypes(schema, input, texts) : input
}

/** A client writes each field once. Of two values, this server and the service might read different ones. */
function addQuery(texts: Map<string, string>, query: URLSearchParams): void {
  for (const [name, value] of query) {
    if (texts.has(name)) throw new HandlerError(400, 'repeated-field', 'A field stands in the address twice.')
    texts.set(name, value)
  }
}

/** The fields of an address are texts. A text that the schema refuses is replaced with the number or boolean it spells. */
async function restoreTypes(
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
  /** In bytes. */
  readonly maxBodySize: number
  readonly clock: Clock
}

/** How long a body may take to arrive, in ms. */
const maxBodyTime = 10_000

/**
 * The JSON body of a request; `undefined` where it is empty.
 *
 * @throws HandlerError with 400, 413 or 415; the signal's reason
 */
async function readBody(request: Request, { maxBodySize, clock }: BodyLimits): Promise<unknown> {
  if (Number(request.headers.get('Content-Length')) > maxBodySize) throw tooLarge()
  // Not 408: after that status browsers send the request again.
  const refuse = () => Promise.reject(new HandlerError(400, 'too-slow', 'Send it faster.'))
  const bytes = await untilAborted(request.signal, () =>
    withTimeout(readBytes(request, maxBodySize), maxBodyTime, clock, refuse),
  )
  if (bytes.length === 0) return undefined
  // A form on a page of another site can send a body, but not with this type.
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
