import { afterEach, describe, expect, test } from 'vitest'
import { listen } from '../../src/testing/node.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { exchanges } from '../operations/exchanges.ts'
import type { ExpectedJson, ExpectedResponse, ExpectedText, SentRequest } from '../operations/OperationDescription.ts'

type Send = (request: Request) => Promise<Response>
type Addresses = { readonly baseUrl: string; readonly quickstartBaseUrl: string }

/** A multiple of every window's length, so a window of each plan starts here. */
const start = 20_000 * 86_400_000

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** The first exchange of each section: over a socket, the others would show nothing new. */
const firstOfSections = exchanges.filter(
  ({ section }, index) => exchanges.findIndex((other) => other.section === section) === index,
)

const ways: readonly [
  string,
  typeof exchanges,
  (service: ReturnType<typeof createPetstoreService>) => Promise<[Send, Addresses]>,
][] = [
  ['in process', exchanges, async (service) => [service.fetch, service]],
  [
    'over a socket',
    firstOfSections,
    async (service) => {
      const server = await listen(service)
      cleanups.push(server.close)
      return [fetch, server]
    },
  ],
]

describe.each(ways)('%s', (_, chosenExchanges, connect) => {
  test.each(chosenExchanges.map((exchange) => [`${exchange.section}: ${exchange.name}`, exchange] as const))(
    '%s',
    async (_name, { setup, steps }) => {
      let now = start
      const { key, categories, windows } = setup
      const service = createPetstoreService({ keys: [key], categories, plan: windows, ban: false, now: () => now })
      const [send, addresses] = await connect(service)
      const actual: unknown[] = []
      const expected: unknown[] = []
      for (const step of steps) {
        if ('elapse' in step) {
          now += step.elapse
          continue
        }
        for (let count = 0; count < (step.times ?? 1); count += 1) {
          actual.push(await exchangeOnce(step.request, step.response, send, addresses))
          expected.push({ request: step.request, ...toMatcher(step.response, now) })
        }
      }
      expect(actual).toEqual(expected)
    },
  )
})

/** Sends the request and returns the parts of the response that the exchange expects. */
async function exchangeOnce(request: SentRequest, expected: ExpectedResponse, send: Send, addresses: Addresses) {
  const { address, method, path, headers, body } = request
  const base = address === 'service' ? addresses.baseUrl : addresses.quickstartBaseUrl
  const response = await send(new Request(base + path, { method, headers, ...(body !== undefined && { body }) }))
  const text = await response.text()
  const names = Object.keys(expected.headers)
  return {
    request,
    status: String(response.status),
    headers: Object.fromEntries(names.map((name) => [name, response.headers.get(name)])),
    text,
    json: expected.json && JSON.parse(text),
  }
}

function toMatcher({ status, headers, text, json }: ExpectedResponse, now: number): Record<string, unknown> {
  return {
    status: expect.stringMatching(`^${String(status).replaceAll('x', '\\d')}$`),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, textMatcher(value, now)])),
    text: textMatcher(text ?? { matches: '' }, now),
    json: json && jsonMatcher(json),
  }
}

function textMatcher(expected: ExpectedText, now: number): unknown {
  if (typeof expected === 'string') return expected
  if ('matches' in expected) return expect.stringMatching(new RegExp(expected.matches))
  const { unixSecondsAhead } = expected
  return expect.toSatisfy(
    (text) => /^\d+$/.test(text) && Number(text) * 1000 > now && Number(text) * 1000 <= now + unixSecondsAhead * 1000,
    `a Unix time at most ${unixSecondsAhead} s after ${now / 1000}`,
  )
}

function jsonMatcher(expected: ExpectedJson): unknown {
  if ('is' in expected) return expected.is
  if ('matches' in expected) return expect.stringMatching(new RegExp(expected.matches))
  if ('a' in expected) return expected.a === 'string' ? expect.any(String) : expect.toSatisfy(Number.isInteger)
  if ('list' in expected) return expected.list.map(jsonMatcher)
  return Object.fromEntries(Object.entries(expected.fields).map(([name, shape]) => [name, jsonMatcher(shape)]))
}
