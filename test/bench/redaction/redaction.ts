/**
 * What a response costs that is made to be hard to read, in ms of CPU time: a fuzzer searches for the texts that take the
 * longest, and their curve follows. See README.md.
 *
 * `npm run bench:redaction -- seed generations`
 */
import { createPetstoreClient, defineOperation } from '../../../src/client.ts'
import { createMemoryStore } from '../../../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreHandler } from '../../../src/server.ts'
import { load } from '../runs.ts'
import * as z from 'zod/mini'

const [seed = 1, generations = 12] = process.argv.slice(2).map(Number)
const key = 'canary-of-the-server+/='
const base64 = btoa(`Bearer ${key}`)

/** What a hostile text is made of. */
const tokens = [
  ...[
    'a',
    ' ',
    '\\',
    '\\\\',
    '"',
    '\\"',
    '%',
    '%25',
    '%2525',
    '%2f',
    '&',
    '&amp;',
    '&amp;amp;',
    '&#',
    '&#37;',
    '&#x00000000',
  ],
  ...[
    '\\u',
    '\\u005c',
    '\\u005cu005c',
    '\\u{',
    '\\u{000000',
    '\\x5c',
    'u005c',
    '25',
    'amp;',
    '=',
    '[',
    '{',
    '\n',
    'é',
    '\ud83d',
  ],
  ...[
    key,
    key.slice(0, -1),
    key.slice(1),
    encodeURIComponent(key),
    base64,
    base64.slice(0, -4),
    base64.slice(3),
    'Q',
    '+/',
  ],
]

/** How a text gets to the reader. */
const ways = {
  'one text of a list, through the handler': (text: string) => throughHandler(JSON.stringify([text])),
  'many texts of a list, through the handler': (text: string) =>
    throughHandler(
      JSON.stringify(Array.from({ length: Math.ceil(text.length / 20) }, (_, at) => text.slice(at * 20, at * 20 + 20))),
    ),
  'many texts and the key, through the handler': (text: string) =>
    throughHandler(
      JSON.stringify([
        key,
        ...Array.from({ length: Math.ceil(text.length / 20) }, (_, at) => text.slice(at * 20, at * 20 + 20)),
      ]),
    ),
  'a list that is cut off, through the handler': (text: string) => throughHandler(`[{"id":1,"name":"${text}`),
  'the error of a schema, in a client': (text: string) => throughClient(JSON.stringify(text)),
} as const
type Way = keyof typeof ways

async function throughHandler(body: string): Promise<void> {
  const handler = createPetstoreHandler({
    baseUrl: 'https://petstore.test/v1',
    apiKey: key,
    rateLimitStore: createMemoryStore(),
    fetch: async () => new Response(body),
  })
  await handler(
    new Request('https://app.test/api/petstore/v1/categories', { headers: { 'Sec-Fetch-Site': 'same-origin' } }),
  )
}

const quoting = defineOperation({
  name: 'quoting',
  path: '/quoting',
  output: z.string().check(z.refine(() => false, { error: ({ input }) => String(input) })),
})

async function throughClient(body: string): Promise<void> {
  const client = createPetstoreClient({
    baseUrl: 'https://petstore.test/v1',
    apiKey: key,
    rateLimitStore: createMemoryStore(),
    fetch: async () => new Response(body),
  })
  await client.call(quoting).catch(() => {})
}

/** A text is the same tokens again and again. */
interface Shape {
  readonly way: Way
  readonly tokens: readonly string[]
}

const textOf = ({ tokens: parts }: Shape, size: number) =>
  parts
    .join('')
    .repeat(Math.ceil(size / parts.join('').length))
    .slice(0, size)

/** ms of CPU time: the faster of two runs. */
async function cost(shape: Shape, size: number): Promise<number> {
  const text = textOf(shape, size)
  let fastest = Infinity
  for (let run = 0; run < 2; run += 1) {
    const start = process.cpuUsage()
    await ways[shape.way](text)
    const { user, system } = process.cpuUsage(start)
    fastest = Math.min(fastest, (user + system) / 1_000)
  }
  return fastest
}

/** mulberry32 */
function createRandom(state: number): () => number {
  let current = state
  return () => {
    current = (current + 0x6d2b79f5) | 0
    let mixed = Math.imul(current ^ (current >>> 15), 1 | current)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const random = createRandom(seed)
const pick = <Value>(values: readonly Value[]): Value => {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('There is nothing to pick.')
  return value
}
const anyTokens = () => Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(tokens))

function mutate(parts: readonly string[]): readonly string[] {
  const at = Math.floor(random() * parts.length)
  const kind = random()
  if (kind < 0.3) return parts.with(at, pick(tokens))
  if (kind < 0.6) return parts.toSpliced(at, 0, pick(tokens))
  if (kind < 0.8 && parts.length > 1) return parts.toSpliced(at, 1)
  return [...parts, ...parts].slice(0, 12)
}

/** Searches for the tokens that take the longest. */
async function search(way: Way, size: number): Promise<readonly Shape[]> {
  const measured = new Map<string, { readonly shape: Shape; readonly ms: number }>()
  const measure = async (parts: readonly string[]) => {
    const name = parts.join(' ')
    if (parts.join('') === '' || measured.has(name)) return
    const shape = { way, tokens: parts }
    measured.set(name, { shape, ms: await cost(shape, size) })
  }
  const worst = (count: number) => [...measured.values()].toSorted((one, other) => other.ms - one.ms).slice(0, count)
  for (const token of tokens) await measure([token])
  for (let turn = 0; turn < 20; turn += 1) await measure(anyTokens())
  for (let generation = 0; generation < generations; generation += 1) {
    for (const { shape } of worst(6)) await measure(mutate(shape.tokens))
    await measure(anyTokens())
  }
  return worst(1).map(({ shape }) => shape)
}

const sizes = [100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000]
const searchSize = 100_000
const row = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)

console.log(`CPU time in ms. Seed ${seed}, ${generations} generations at ${searchSize} characters, load ${load()}.\n`)
row(['way', 'text', ...sizes.map((size) => `${size / 1e6} MB`), 'per MB: 5 MB to 1 MB'])
row(['---', '---', ...sizes.map(() => '--:'), '--:'])
for (const way of Object.keys(ways) as Way[]) {
  for (const shape of [{ way, tokens: ['All about number twelve. '] }, ...(await search(way, searchSize))]) {
    const costs: number[] = []
    for (const size of sizes) costs.push(await cost(shape, size))
    const [, , , one = 0, , five = 0] = costs
    row([
      way,
      `\`${JSON.stringify(shape.tokens.join('')).slice(1, -1)}\``,
      ...costs.map((ms) => ms.toFixed(0)),
      (five / 5 / one).toFixed(2),
    ])
  }
}
