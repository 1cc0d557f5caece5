import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type BodyLimits, readBody } from './readBody.ts'
import { Refusal } from './Refusal.ts'
import type { Route } from './routes.ts'

/**
 * The operation's input, as the page's client was given it: the fields of the path, and those of the query or the body.
 *
 * @throws Refusal with 400, 408, 413 or 415; the signal's reason
 */
export async function readInput(request: Request, route: Route, limits: BodyLimits): Promise<unknown> {
  const { method, input: schema } = route.operation
  const texts = new Map(Object.entries(route.fields))
  const hasBody = method !== 'GET' && method !== 'DELETE'
  if (!hasBody) addQuery(texts, new URL(request.url).searchParams)
  const body = hasBody ? await readBody(request, limits) : undefined
  if (texts.size === 0) return body
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new Refusal(400, 'not-an-object', 'The request body is not a JSON object.')
  }
  const input = { ...body, ...Object.fromEntries(texts) }
  return schema ? withTypes(schema, input, texts) : input
}

/** A client writes each field once. Of two values, this server and the service might read different ones. */
function addQuery(texts: Map<string, string>, query: URLSearchParams): void {
  for (const [name, value] of query) {
    if (texts.has(name)) throw new Refusal(400, 'repeated-field', 'A field stands in the address twice.')
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
