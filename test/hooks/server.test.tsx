// @vitest-environment node
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type ReactElement, Suspense } from 'react'
import * as server from 'react-dom/server'
import { SWRConfig } from 'swr'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  CategoryList,
  createPetstoreClient,
  operations,
  PetstoreErrorBoundary,
  PetstoreProvider,
  prefetchQuery,
  useCategories,
  usePetstoreClient,
  useRateLimit,
} from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress, optionsFor } from '../renderOnService.tsx'
import { everyHook } from './everyHook.setup.ts'

interface Rendered {
  readonly html: string
  /** The errors that a stream reported to `onError`. */
  readonly errors: readonly string[]
}

const pipeable = async (ui: ReactElement): Promise<Rendered> => {
  const errors: string[] = []
  const page = new PassThrough()
  await new Promise<void>((resolve, reject) => {
    const onError = (error: unknown) => void errors.push(String(error))
    const { pipe } = server.renderToPipeableStream(ui, {
      onError,
      onShellError: reject,
      onAllReady: () => {
        pipe(page)
        resolve()
      },
    })
  })
  return { html: await text(page), errors }
}

const readable = async (ui: ReactElement): Promise<Rendered> => {
  const errors: string[] = []
  const stream = await server.renderToReadableStream(ui, { onError: (error) => void errors.push(String(error)) })
  await stream.allReady
  return { html: await new Response(stream).text(), errors }
}

const waysToRender: readonly (readonly [name: string, render: (ui: ReactElement) => Promise<Rendered>])[] = [
  ['renderToString', async (ui) => ({ html: server.renderToString(ui), errors: [] })],
  ['renderToPipeableStream', pipeable],
  // React 18 has it in a separate build, which cannot be loaded beside this one.
  ...('renderToReadableStream' in server ? ([['renderToReadableStream', readable]] as const) : []),
]

const logged = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]

beforeEach(() => {
  for (const spy of logged) spy.mockClear()
  // The middle of a minute, so that no quota window ends during a test.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 0, 0, 30) })
})
afterEach(() => {
  vi.useRealTimers()
  const messages = logged.flatMap((spy) => spy.mock.calls)
  if (messages.length > 0) throw new Error(`logged: ${messages.join()}`)
})

const categories = [{ id: '9007199254740993', name: 'Dog' }]

function Names({ suspense }: { suspense?: true }) {
  const { data } = useCategories(suspense ? { suspense } : {})
  return <p>{data ? data.map(({ id, name }) => `${name} ${id}`).join() : 'nothing yet'}</p>
}

const RateLimit = () => <p>rate limit {useRateLimit().status}</p>

describe.each(waysToRender)('%s', (_, render) => {
  test('prefetched data are in the HTML, also with suspense', async () => {
    const service = createPetstoreService({ categories })
    const client = createPetstoreClient({ ...optionsFor(service), scope: 'me' })
    const { html, errors } = await render(
      <SWRConfig value={{ fallback: await prefetchQuery(client, operations.listCategories) }}>
        <PetstoreProvider {...optionsFor(service)} scope="me">
          <Names />
          <Names suspense />
          <CategoryList />
        </PetstoreProvider>
      </SWRConfig>,
    )
    expect(html.split('<p>Dog 9007199254740993</p>')).toHaveLength(3)
    expect(html).toMatch(/<li[^>]*>.*Dog/)
    expect(errors).toEqual([])
    expect(service.requests).toHaveLength(1)
  })

  test('the quota that the server knows is not in the HTML, because the page would not match it', async () => {
    const service = createPetstoreService({ categories, plan: [{ limit: 5, per: 60_000 }] })
    const client = createPetstoreClient({ ...optionsFor(service), scope: 'me' })
    const fallback = await prefetchQuery(client, operations.listCategories)
    const Busy = () => <p>{useCategories().isValidating ? 'validating' : 'idle'}</p>
    const htmls: string[] = []
    for (const status of ['ok', 'low', 'exhausted']) {
      while (client.rateLimit.getSnapshot().status !== status) await client.listCategories()
      const { html } = await render(
        <SWRConfig value={{ fallback }}>
          <PetstoreProvider client={client}>
            <RateLimit />
            <Busy />
          </PetstoreProvider>
        </SWRConfig>,
      )
      htmls.push(withoutMarks(html))
    }
    const firstHtmlOfPage = '<p>rate limit unknown</p><p>idle</p>'
    expect(htmls).toEqual([firstHtmlOfPage, firstHtmlOfPage, firstHtmlOfPage])
  })

  test('each render has its own client and no rows of other renders', async () => {
    const service = createPetstoreService({ categories })
    const options = { ...optionsFor(service), baseUrl: newAddress() }
    const Scope = () => <p>{usePetstoreClient().scope}</p>
    const app = (
      <PetstoreProvider {...options}>
        <Scope />
        <Names />
      </PetstoreProvider>
    )
    const htmls = [await render(app), await render(app)].map(({ html }) => html)
    for (const html of htmls) expect(html).toMatch(/^<p>\w+<\/p><p>nothing yet<\/p>$/)
    expect(htmls[0]).not.toBe(htmls[1])
  })

  test('a root-relative address, which only pages can fetch, renders', async () => {
    const { html } = await render(
      <PetstoreProvider baseUrl="/pets/v1">
        <Names />
      </PetstoreProvider>,
    )
    expect(html).toBe('<p>nothing yet</p>')
  })

  test('suspense without data: the HTML contains the fallback of the nearest Suspense', async () => {
    const fetch = vi.fn<() => Promise<Response>>()
    const { html, errors } = await render(
      <PetstoreProvider baseUrl={newAddress()} apiKey="secret" fetch={fetch}>
        <p>before</p>
        <Suspense fallback={<p>suspended</p>}>
          <PetstoreErrorBoundary fallback={() => 'caught'}>
            <Names suspense />
          </PetstoreErrorBoundary>
        </Suspense>
      </PetstoreProvider>,
    )
    // `<!--$!-->` marks the boundary as failed: the page renders it instead of hydrating it.
    expect(html.replace(/<template.*?<\/template>/s, '')).toBe('<p>before</p><!--$!--><p>suspended</p><!--/$-->')
    expect(html).not.toContain('secret')
    // `renderToString` reports no errors.
    expect(errors).toEqual(render === waysToRender[0]?.[1] ? [] : [`Error: ${noFallbackData}`])
    expect(fetch).not.toHaveBeenCalled()
  })

  test('suspense without data and without a Suspense: rendering fails', async () => {
    const app = (
      <PetstoreProvider baseUrl={newAddress()}>
        <Names suspense />
      </PetstoreProvider>
    )
    await expect(render(app)).rejects.toThrow(noFallbackData)
  })
})

/** SWR's message. */
const noFallbackData = 'Fallback data is required when using Suspense in SSR.'

/** Streams separate adjacent texts by comments. */
const withoutMarks = (html: string) => html.replaceAll('<!-- -->', '')

// `useSecondsUntil` only reads the clock, so it needs no provider.
test.each(everyHook.filter(([name]) => name !== 'useSecondsUntil'))(
  '%s throws outside a provider, and the error says what to do',
  (_, useHook) => {
    function Component() {
      useHook()
      return null
    }
    expect(() => server.renderToString(<Component />)).toThrow(
      'No PetstoreProvider found. Wrap your app in <PetstoreProvider>.',
    )
  },
)
