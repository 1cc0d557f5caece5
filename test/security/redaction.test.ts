import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, isPetstoreError } from '../../src/client.ts'
import { createQuickClient, failureOf, json } from '../client/client.setup.ts'
import { runs } from '../rate-limit/runs.ts'
import { getList, handlerTo } from '../server/handler.setup.ts'

const key = 'canary-of-the-server+/=_"&%2f'

/** The forms in which a service may repeat the key, written independently of `createRedact`. */
const forms: readonly (readonly [name: string, write: (text: string) => string])[] = [
  ['plain', (text) => text],
  ['percent-encoded', (text) => encodeURIComponent(text)],
  ['base64', (text) => Buffer.from(text).toString('base64')],
  ['base64 of the header', (text) => Buffer.from(`Bearer ${text}`).toString('base64')],
]

/** Everything that shows a text of the service: errors of the client, and an Error body and a list of the handler. */
async function everywhere(text: string, apiKey = key): Promise<Readonly<Record<string, string>>> {
  const options = { apiKey }
  const errorBody = { code: text, message: `Before ${text} after`, status: 400 }
  const refuse = async () => json(errorBody, 400)
  const error = await failureOf(createQuickClient(refuse, options).listCategories())
  const body = isPetstoreError(error) && error.kind === 'bad-request' ? error.body : undefined
  const quoting = defineOperation({
    name: 'quoting',
    path: '/quoting',
    output: z.string().check(z.refine(() => false, { error: ({ input }) => `not ${String(input)}` })),
  })
  const issue = await failureOf(createQuickClient(async () => json(JSON.stringify(text)), options).call(quoting))
  const refused = await handlerTo(refuse, options)(getList())
  const row = [{ id: 1, name: `Before ${text} after`, [text]: text }]
  const list = await handlerTo(async () => json(row), options)(getList())
  const rows: unknown = await list.json()
  return {
    'error.message': String(error),
    'error.body': JSON.stringify(body),
    'error.toJSON()': JSON.stringify(error),
    'the message of a schema': JSON.stringify(issue),
    'an Error body of the handler': JSON.stringify(await refused.json()),
    'a list of the handler': JSON.stringify(rows),
  }
}

describe('the key in this form is in nothing that people see:', () => {
  test.each(forms)('%s', async (_, write) => {
    const hidden = write(key)
    for (const [where, seen] of Object.entries(await everywhere(hidden))) {
      // Most of what is seen is JSON, in which a quote has a backslash.
      for (const shown of [hidden, JSON.stringify(hidden).slice(1, -1), key]) {
        expect.soft(seen.includes(shown), `${where}: ${seen}`).toBe(false)
      }
      expect.soft(seen, where).toContain('[API key]')
    }
  })

  test('any key, with any text around it, however its JSON is escaped', async () => {
    const keys = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 8,
      maxLength: 40,
    })
    const around = fc.string({ maxLength: 10 })
    const escapesSlashes = fc.boolean()
    await fc.assert(
      fc.asyncProperty(keys, around, around, fc.constantFrom(...forms), escapesSlashes, async (...values) => {
        const [apiKey, before, after, [, write], hasEscapedSlashes] = values
        const hidden = write(apiKey)
        const list = JSON.stringify([before + hidden + after])
        const body = hasEscapedSlashes ? list.replaceAll('/', String.raw`\/`) : list
        const response = await handlerTo(async () => new Response(body), { apiKey })(getList())
        const [seen] = (await response.json()) as readonly string[]
        expect(seen).not.toContain(hidden)
        expect(seen).toContain('[API key]')
      }),
      { ...runs, numRuns: Math.min(runs.numRuns, 300) },
    )
  }, 120_000)
})

describe('what is not the key', () => {
  test('stays as it is, even if it looks like a part or an encoded form of the key', async () => {
    const texts = [
      '50 % of &amp; and \\u0041 \\\\ %2f',
      'canary-of-the-server',
      'Y2FuYXJ5',
      '&#99;anary',
      '%',
      '&',
      '\\',
    ]
    const body = JSON.stringify(texts)
    const response = await handlerTo(async () => json(body), { apiKey: key })(getList())
    expect(await response.text()).toBe(body)
  })

  test('stays exact in the JSON around the key', async () => {
    const body = `[ {"id":9007199254740993,"name":"\\u0041 ${JSON.stringify(key).slice(1, -1)} \\"x\\" %20"} ]`
    const response = await handlerTo(async () => json(body), { apiKey: key })(getList())
    expect(await response.text()).toBe(`[ {"id":9007199254740993,"name":"A [API key] \\"x\\" %20"} ]`)
  })
})

describe('a short key, which other words may contain,', () => {
  test.each(['e', 'name', 'test'])(
    '"%s" is redacted only where it is a whole word, and not in names of fields',
    async (apiKey) => {
      const words = `Latest names, ${apiKey}ish, un${apiKey}, é${apiKey}, 7${apiKey}`
      const body = (text: string) => `[{"id" :1,"${apiKey}" : 2,"name":${JSON.stringify(`${words} \\ (${text})`)}}]`
      const response = await handlerTo(async () => new Response(body(apiKey)), { apiKey })(getList())
      expect(await response.text()).toBe(body('[API key]'))
    },
  )

  test('hides, of the headers of an error, only one that has it as a word of its name', async () => {
    const headers = { 'X-Request-Id': 'e7', 'X-E': '1', 'Retry-After': 'e' }
    const error = await failureOf(
      createQuickClient(async () => json({}, 400, headers), { apiKey: 'E' }).listCategories(),
    )
    const shown = isPetstoreError(error) ? [...(error.headers ?? [])] : []
    expect(shown).toContainEqual(['x-request-id', 'e7'])
    expect(shown.map(([name]) => name)).not.toContain('x-e')
  })
})

/** Each text is so long that the test would time out if the time grew with the square of the length. */
describe('a text that is hard to read takes time in proportion to its length:', () => {
  const size = 1_000_000
  const hard: readonly (readonly [string, string])[] = [
    ['a list that is cut off inside a text with escaped quotes', `[{"id":1,"name":"${String.raw`\"`.repeat(size / 2)}`],
    ['quotes alone', '"'.repeat(size)],
    ['escaped backslashes', JSON.stringify(['\\'.repeat(size)])],
    ['a key that is never complete', JSON.stringify([`${key.slice(0, -1)} `.repeat(size / key.length)])],
    ['the key many times', JSON.stringify([`${key} `.repeat(size / key.length)])],
    ['base64 of the key many times', JSON.stringify([btoa(key).repeat(size / key.length)])],
    ['many texts, and the key in one of them', JSON.stringify([...Array(size / 4).fill('\\'), key])],
  ]

  test.each(hard)('%s', async (_, text) => {
    const response = await handlerTo(async () => new Response(text), { apiKey: key })(getList())
    expect([200, 502]).toContain(response.status)
    expect(await response.text()).not.toContain(key)
    const error = await failureOf(
      createQuickClient(async () => new Response(text, { status: 400 }), { apiKey: key }).listCategories(),
    )
    expect(String(error)).not.toContain(key)
  })
})
