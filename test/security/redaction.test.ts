import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, isPetstoreError } from '../../src/client.ts'
import { createQuickClient, failureOf, json } from '../client/client.setup.ts'
import { runs } from '../rate-limit/runs.ts'
import { getList, handlerTo } from '../server/handler.setup.ts'

const key = 'canary-of-the-server+/=_"&%2f'

/** How a service may repeat a text, and how a reader gets it back. Written apart from the code. */
interface Form {
  readonly name: string
  readonly write: (text: string) => string
  readonly read: (text: string) => string
}

const each = (text: string, write: (char: string) => string) => Array.from(text, write).join('')
const hexOf = (char: string, digits: number) => char.charCodeAt(0).toString(16).padStart(digits, '0')
const charOf = (hex: string) => String.fromCharCode(parseInt(hex, 16))
const bytesOf = (text: string) => Buffer.from(text, 'latin1')
const names: Readonly<Record<string, string>> = {
  '+': 'plus',
  '/': 'sol',
  '=': 'equals',
  '"': 'quot',
  '&': 'amp',
  '%': 'percnt',
  _: 'lowbar',
  '\\': 'bsol',
  '#': 'num',
  ';': 'semi',
}

const forms: readonly Form[] = [
  { name: 'JSON', write: (text) => JSON.stringify(text).slice(1, -1), read: (text) => JSON.parse(`"${text}"`) },
  {
    name: 'JSON with escaped slashes',
    write: (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', String.raw`\/`),
    read: (text) => JSON.parse(`"${text}"`),
  },
  {
    name: 'Unicode escapes',
    write: (text) => each(text, (char) => `\\u${hexOf(char, 4)}`),
    read: (text) => text.replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) => charOf(hex)),
  },
  {
    name: 'some Unicode escapes in upper case',
    write: (text) => each(text, (char) => (/[+/=\\"&%_-]/.test(char) ? `\\u${hexOf(char, 4).toUpperCase()}` : char)),
    read: (text) => text.replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) => charOf(hex)),
  },
  {
    name: 'percent in upper case',
    write: (text) => encodeURIComponent(text),
    read: (text) => decodeURIComponent(text),
  },
  {
    name: 'percent in lower case',
    write: (text) => encodeURIComponent(text).replaceAll(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase()),
    read: (text) => decodeURIComponent(text),
  },
  {
    name: 'percent for each character',
    write: (text) => each(text, (char) => `%${hexOf(char, 2)}`),
    read: (text) => decodeURIComponent(text),
  },
  {
    name: 'named entities',
    write: (text) => each(text, (char) => (names[char] ? `&${names[char]};` : char)),
    read: (text) =>
      text.replaceAll(
        /&(\w+);/g,
        (_, name: string) => Object.entries(names).find(([, one]) => one === name)?.[0] ?? '',
      ),
  },
  {
    name: 'decimal entities',
    write: (text) => each(text, (char) => `&#${char.charCodeAt(0)};`),
    read: (text) => text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  },
  {
    name: 'hexadecimal entities',
    write: (text) => each(text, (char) => `&#x${hexOf(char, 4)};`),
    read: (text) => text.replaceAll(/&#x([\da-f]+);/g, (_, hex: string) => charOf(hex)),
  },
]

const base64: readonly Form[] = [
  { name: 'base64', write: (text) => bytesOf(text).toString('base64'), read: (text) => atob(text) },
  {
    name: 'base64 of the header',
    write: (text) => bytesOf(`Bearer ${text}`).toString('base64'),
    read: (text) => atob(text),
  },
  {
    name: 'base64 of a user and the key',
    write: (text) => bytesOf(`user:${text}`).toString('base64'),
    read: (text) => atob(text),
  },
  {
    name: 'base64 for addresses',
    write: (text) => bytesOf(`{"token":"${text}"}`).toString('base64url'),
    read: (text) => Buffer.from(text, 'base64url').toString('latin1'),
  },
]

/** What a person sees who gets this text: an error of the client, an Error body of the handler, and a list of it. */
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
  const stacks: readonly (readonly Form[])[] = [
    [],
    ...forms.map((form) => [form]),
    ...base64.map((form) => [form]),
    ...forms.flatMap((one) => forms.map((other) => [one, other])),
    ...base64.flatMap((one) => forms.map((other) => [one, other])),
  ]

  test.each(stacks.map((stack) => [stack.map(({ name }) => name).join(', in ') || 'plain', stack] as const))(
    '%s',
    async (_, stack) => {
      const hidden = stack.reduce((text, { write }) => write(text), key)
      for (const [where, seen] of Object.entries(await everywhere(hidden))) {
        // What is shown of a text is JSON here, so that a backslash is two.
        for (const shown of [hidden, JSON.stringify(hidden).slice(1, -1), key]) {
          expect.soft(seen.includes(shown), `${where}: ${seen}`).toBe(false)
        }
        expect.soft(seen, where).toContain('[API key]')
      }
    },
  )

  test('any key in several of these forms, with any text around it', async () => {
    const keys = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 8,
      maxLength: 40,
    })
    const around = fc.string({ maxLength: 10 })
    const anyStack = fc.tuple(
      fc.option(fc.constantFrom(...base64), { nil: undefined }),
      fc.array(fc.constantFrom(...forms), { maxLength: 5 }),
    )
    await fc.assert(
      fc.asyncProperty(keys, around, around, anyStack, async (apiKey, before, after, [inner, outer]) => {
        const stack = inner ? [inner, ...outer] : outer
        const hidden = stack.reduce((text, { write }) => write(text), apiKey)
        const response = await handlerTo(async () => json([before + hidden + after]), { apiKey })(getList())
        const [seen] = (await response.json()) as readonly string[]
        expect(seen).not.toContain(hidden)
        expect(seen).toContain('[API key]')
        expect(readsAs(seen ?? '', stack)).not.toContain(apiKey)
      }),
      { ...runs, numRuns: Math.min(runs.numRuns, 300) },
    )
  }, 120_000)
})

/** Whatever a reader gets who undoes the forms, as far as that is possible. */
function readsAs(text: string, stack: readonly Form[]): string {
  let result = text
  for (const { read } of stack.toReversed()) {
    try {
      result += `\n${read(result)}`
    } catch {
      // It is not in this form any more.
    }
  }
  return result
}

describe('what is around the key', () => {
  test('stays, as well as everything where it is not', async () => {
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

  test('stays exact in JSON, where the text is escaped once', async () => {
    const body = `[ {"id":9007199254740993,"name":"\\u0041 ${JSON.stringify(key).slice(1, -1)} \\"x\\" %20"} ]`
    const response = await handlerTo(async () => json(body), { apiKey: key })(getList())
    expect(await response.text()).toBe(`[ {"id":9007199254740993,"name":"A [API key] \\"x\\" %20"} ]`)
  })
})

/** Texts that took minutes before: each is long enough to end the test if time grew with the square. */
describe('a text that is hard to read takes time in proportion to its length:', () => {
  const size = 1_000_000
  const hard: readonly (readonly [string, string])[] = [
    ['a list that is cut off inside a text with escaped quotes', `[{"id":1,"name":"${String.raw`\"`.repeat(size / 2)}`],
    ['quotes alone', '"'.repeat(size)],
    ['escaped backslashes', JSON.stringify(['\\'.repeat(size)])],
    ['a key that is never complete', JSON.stringify([`${key.slice(0, -1)} `.repeat(size / key.length)])],
    ['percent signs in percent signs', JSON.stringify(['%2525252525252525252f'.repeat(size / 20)])],
    ['an entity without an end', JSON.stringify([`&#x${'0'.repeat(size)}`])],
    ['entities without an end', JSON.stringify(['&#x00000000'.repeat(size / 11)])],
    ['braces without an end', JSON.stringify([String.raw`\u{0000000`.repeat(size / 10)])],
    ['the key many times', JSON.stringify([`${key} `.repeat(size / key.length)])],
    ['base64 of the key many times', JSON.stringify([btoa(key).repeat(size / key.length)])],
    ['many texts, and the key in one of them', JSON.stringify([...Array(size / 4).fill('\\'), key])],
  ]

  test.each(hard)('%s', async (_, text) => {
    const seen = await handlerTo(async () => new Response(text), { apiKey: key })(getList())
    expect([200, 502]).toContain(seen.status)
    expect(await seen.text()).not.toContain(key)
    const error = await failureOf(
      createQuickClient(async () => new Response(text, { status: 400 }), { apiKey: key }).listCategories(),
    )
    expect(String(error)).not.toContain(key)
  })
})
