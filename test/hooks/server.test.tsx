// @vitest-environment node
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type ReactElement, Suspense } from 'react'
import * as server from 'react-dom/server'
import { SWRConfig } from 'swr'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import {
  CategoryList,
  createPetstoreClient,
  operations,
  PetstoreErrorBoundary,
  PetstoreProvider,
  prefetchCategories,
  useCategories,
  useCreateCategory,
  useOrders,
  usePendingCategories,
  usePet,
  usePetstoreClient,
  usePetstoreMutation,
  usePetstoreQuery,
  useRateLimit,
  useSendMessage,
} from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress, optionsFor } from '../renderOnService.tsx'

interface Rendered {
  readonly html: string
  /** What `onError` of a stream was told. */
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
  // In React 18 it is in a build of its own, which does not bear another one beside it.
  ...('renderToReadableStream' in server ? ([['renderToReadableStream', readable]] as const) : []),
]

const logged = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]

beforeEach(() => {
  for (const spy of logged) spy.mockClear()
  // In the middle of a minute, so that no window of a quota ends meanwhile.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 0, 0, 30) })
})
afterEach(() => {
  vi.useRealTimers()
  const messages = logged.flatMap((spy) => spy.mock.calls)
  if (messages.length > 0) throw new Error(`logged: ${messages.join()}`)
})

const categories = [{ id: '9007199254740993', name: 'Dog' }]
const schema = z.unknown()

/** Everything there is, and what it shows. */
function Everything() {
  const rateLimit = useRateLimit()
  const mutations = [
    useCreateCategory({ optimistic: true }),
    useSendMessage(),
    usePetstoreMutation(operations.sendMessage),
  ]
  const queries = [
    useCategories(),
    useCategories({ refreshInterval: 5_000, keepPreviousData: true, throwOnError: true }),
    useOrders({ schema }),
    usePet('1', { schema }),
    usePetstoreQuery(operations.listCategories),
    usePetstoreQuery(operations.getPet, null),
  ]
  return (
    <PetstoreErrorBoundary fallback={({ error }) => error.kind}>
      <p>rate limit {rateLimit.status}</p>
      <p>{mutations.map(({ status, isMutating }) => `${status} ${isMutating}`).join()}</p>
      <p>
        {queries
          .map(({ data, error, isLoading, isValidating, retryAt }) =>
            JSON.stringify([data ?? 0, error ?? 0, isLoading, isValidating, retryAt ?? 0]),
          )
          .join(' ')}
      </p>
      <p>{usePendingCategories().length} pending</p>
      <p>{typeof usePetstoreClient().listCategories}</p>
      <CategoryList />
    </PetstoreErrorBoundary>
  )
}

function Names({ suspense }: { suspense?: true }) {
  const { data } = useCategories(suspense ? { suspense } : {})
  return <p>{data ? data.map(({ id, name }) => `${name} ${id}`).join() : 'nothing yet'}</p>
}

const RateLimit = () => <p>rate limit {useRateLimit().status}</p>

describe.each(waysToRender)('%s', (_, render) => {
  test('all hooks and components are loading; nothing is asked, and no key is in the HTML', async () => {
    expect(typeof document).toBe('undefined')
    const fetch = vi.fn<() => Promise<Response>>()
    const apiKey = vi.fn<() => string>(() => 'secret')
    const { html, errors } = await render(
      <>
        <PetstoreProvider baseUrl={newAddress()} apiKey={apiKey} fetch={fetch}>
          <Everything />
        </PetstoreProvider>
        <PetstoreProvider baseUrl={newAddress()} apiKey="secret" fetch={fetch}>
          <Everything />
        </PetstoreProvider>
      </>,
    )
    const loading = '[0,0,true,true,0]'
    const shown = `<p>${Array<string>(5).fill(loading).join(' ')} [0,0,false,false,0]</p>`
    expect(html.split(shown)).toHaveLength(3)
    expect(html.split('idle false,idle false,idle false<')).toHaveLength(3)
    expect(html).not.toContain('secret')
    expect(errors).toEqual([])
    expect(fetch).not.toHaveBeenCalled()
    expect(apiKey).not.toHaveBeenCalled()
  })

  test('what was loaded ahead is in the HTML, for suspending hooks too', async () => {
    const service = createPetstoreService({ categories })
    const client = createPetstoreClient({ ...optionsFor(service), cacheScope: 'me' })
    const { html, errors } = await render(
      <SWRConfig value={{ fallback: await prefetchCategories(client) }}>
        <PetstoreProvider {...optionsFor(service)} cacheScope="me">
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

  test('fallbackData is in the HTML, for suspending hooks too', async () => {
    const service = createPetstoreService({ categories })
    const fallbackData = await createPetstoreClient(optionsFor(service)).listCategories()
    const Both = () => (
      <p>
        {useCategories({ fallbackData }).data?.[0]?.id} {useCategories({ fallbackData, suspense: true }).data[0]?.name}
      </p>
    )
    const { html, errors } = await render(
      <PetstoreProvider {...optionsFor(service)}>
        <Both />
      </PetstoreProvider>,
    )
    expect(withoutMarks(html)).toBe('<p>9007199254740993 Dog</p>')
    expect(errors).toEqual([])
    expect(service.requests).toHaveLength(1)
  })

  test('what the server knows of the quota is not in the HTML, since no page knows it', async () => {
    const service = createPetstoreService({ categories, plan: [{ limit: 5, per: 60_000 }] })
    const client = createPetstoreClient({ ...optionsFor(service), cacheScope: 'me' })
    const fallback = await prefetchCategories(client)
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
    const asAnyPageBegins = '<p>rate limit unknown</p><p>validating</p>'
    expect(htmls).toEqual([asAnyPageBegins, asAnyPageBegins, asAnyPageBegins])
  })

  test('each rendering has a client of its own, and meets nobody else’s rows', async () => {
    const service = createPetstoreService({ categories })
    const options = { ...optionsFor(service), baseUrl: newAddress() }
    const Scope = () => <p>{usePetstoreClient().cacheScope}</p>
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

  test('a root-relative address, which only pages can ask, does not stand in the way', async () => {
    const { html } = await render(
      <PetstoreProvider baseUrl="/pets/v1">
        <Names />
      </PetstoreProvider>,
    )
    expect(html).toBe('<p>nothing yet</p>')
  })

  test('suspense without data: rendered by the browser, from the nearest Suspense on', async () => {
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
    // The comment says that the boundary failed, so that the browser does not hydrate it but begins anew.
    expect(html.replace(/<template.*?<\/template>/s, '')).toBe('<p>before</p><!--$!--><p>suspended</p><!--/$-->')
    expect(html).not.toContain('secret')
    expect(errors).toEqual(render === waysToRender[0]?.[1] ? [] : [`Error: ${noFallbackData}`])
    expect(fetch).not.toHaveBeenCalled()
  })

  test('suspense without data and without a Suspense: the rendering fails', async () => {
    const app = (
      <PetstoreProvider baseUrl={newAddress()}>
        <Names suspense />
      </PetstoreProvider>
    )
    await expect(render(app)).rejects.toThrow(noFallbackData)
  })
})

/** SWR's words. */
const noFallbackData = 'Fallback data is required when using Suspense in SSR.'

/** Streams part neighbouring texts by comments. */
const withoutMarks = (html: string) => html.replaceAll('<!-- -->', '')
