// @vitest-environment node
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReactElement, ReactNode } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { SWRConfig } from 'swr'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { PetstoreDevtools, PetstoreDevtoolsPanel } from '../../src/devtools.ts'
import { outboxStoreFor } from '../../src/components/MessageComposer/outboxStore.ts'
import * as petstore from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { everyHook } from '../hooks/everyHook.setup.ts'
import { newAddress } from '../renderOnService.tsx'

const {
  CategoryForm,
  CategoryList,
  CategoryManager,
  ErrorNotice,
  MessageComposer,
  PetstoreErrorBoundary,
  PetstoreProvider,
  RateLimitBadge,
} = petstore

/** A time from long ago, so that nothing here depends on the clock either. */
const then = Date.UTC(2026, 0, 1)
const context = { operation: 'listCategories', attempts: 1, method: 'GET', replay: 'safe' } as const
const errors = [
  new petstore.RateLimitError(context, then),
  new petstore.NetworkError(context, new TypeError('fetch failed')),
  new petstore.TimeoutError(
    { ...context, operation: 'createCategory', method: 'POST', replay: 'only-if-refused' },
    100,
  ),
]

interface Shown {
  readonly name: string
  readonly ui: ReactElement
  readonly scope?: string
}

async function createPages() {
  const service = createPetstoreService()
  const scope = 'prepared'
  const client = petstore.createPetstoreClient({ ...service, apiKey: 'demo', scope })
  const fallback = await petstore.prefetchQuery(client, petstore.operations.listCategories)
  const rows = await client.listCategories()
  const lists = (
    <>
      <CategoryList selectionMode="multiple" order="name" />
      <CategoryManager />
    </>
  )
  function Prepared(): ReactNode {
    const { data, dataUpdatedAt, wait, isPollingPaused, error } = petstore.useCategories({
      fallbackData: rows,
      refreshInterval: 1_000,
      keepPreviousData: true,
    })
    return (
      <p>
        {data?.length} {dataUpdatedAt} {String(isPollingPaused)} {String(error)}{' '}
        <petstore.Countdown until={wait?.until ?? then} label={(words, time) => `${words} ${time}`} />
      </p>
    )
  }
  function Suspending(): ReactNode {
    return <p>{petstore.useCategories({ suspense: true }).data.length}</p>
  }
  const components: readonly Shown[] = [
    { name: 'CategoryForm', ui: <CategoryForm /> },
    { name: 'Countdown', ui: <petstore.Countdown until={then} /> },
    { name: 'CategoryList', ui: <CategoryList /> },
    { name: 'CategoryManager', ui: <CategoryManager /> },
    { name: 'MessageComposer', ui: <MessageComposer draftKey="draft" maxLength={140} /> },
    { name: 'RateLimitBadge', ui: <RateLimitBadge /> },
    { name: 'PetstoreErrorBoundary', ui: <PetstoreErrorBoundary fallback={() => null}>text</PetstoreErrorBoundary> },
    { name: 'PetstoreDevtools', ui: <PetstoreDevtools /> },
    { name: 'PetstoreDevtoolsPanel', ui: <PetstoreDevtoolsPanel /> },
    ...errors.map((error) => ({ name: `ErrorNotice: ${error.kind}`, ui: <ErrorNotice error={error} /> })),
    { name: 'prepared lists', ui: lists, scope },
    { name: 'a prepared hook', ui: <Prepared /> },
    { name: 'a prepared hook that may suspend', ui: <Suspending />, scope },
  ]
  const hooks: readonly Shown[] = everyHook.map(([name, useHook]) => {
    function Component(): ReactNode {
      useHook()
      return <p>rendered</p>
    }
    return { name, ui: <Component /> }
  })
  const pageOf = (shown: Shown) => (
    <SWRConfig value={{ fallback }}>
      <PetstoreProvider baseUrl={newAddress()} apiKey="secret-of-a-person" scope={shown.scope} onEvent={() => {}}>
        {shown.ui}
      </PetstoreProvider>
    </SWRConfig>
  )
  return [...components, ...hooks].map((shown) => ({ name: shown.name, page: pageOf(shown) }))
}

/** Refuses what frameworks refuse in a prerender, from now on, except to React itself. Returns what was refused. */
function forbidUnstableValues(): readonly string[] {
  const refused: string[] = []
  const guard = <Value,>(what: string, read: () => Value): Value => {
    const [, caller = ''] = (new Error().stack ?? '').split('\n').filter((line) => !line.includes(testFile))
    if (caller.includes('/react-dom/')) return read()
    refused.push(what)
    throw new Error(`A render on a server must not use ${what}.`)
  }
  const guarded = <Target extends object>(target: Target, what: string, onlyName?: string) =>
    new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function' || (onlyName !== undefined && name !== onlyName)) return value
        return (...values: unknown[]) => guard(`${what}.${String(name)}`, () => Reflect.apply(value, target, values))
      },
    })
  vi.stubGlobal('Math', guarded(Math, 'Math', 'random'))
  vi.stubGlobal('performance', guarded(performance, 'performance', 'now'))
  vi.stubGlobal('crypto', guarded(crypto, 'crypto'))
  vi.stubGlobal('fetch', () => guard('fetch', () => undefined))
  const time = new Proxy(Date, {
    apply: () => guard('Date()', Date),
    construct: (target, values: [number]) =>
      values.length > 0 ? new target(...values) : guard('new Date()', () => new target()),
    get: (target, name) => (name === 'now' ? () => guard('Date.now', target.now) : Reflect.get(target, name)),
  })
  vi.stubGlobal('Date', time)
  return refused
}

const testFile = 'prerender.server.test'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const pages = await createPages()

// CategoryForm F1 and L2, CategoryList M6, MessageComposer T7
describe('a render on a server reads no clock and no random value, sends nothing, and writes no style or key', () => {
  test.each(pages.map(({ name, page }) => [name, page] as const))('%s', (_, page) => {
    const logged = vi.spyOn(console, 'error')
    const refused = forbidUnstableValues()
    const html = renderToString(page)
    expect(html).not.toMatch(/<template|style=|secret/)
    expect(refused).toEqual([])
    expect(logged).not.toHaveBeenCalled()
  })

  test('all at once, as a stream', async () => {
    const refused = forbidUnstableValues()
    const failures: unknown[] = []
    const all = pages.map(({ name, page }) => <section key={name}>{page}</section>)
    const stream = new PassThrough()
    const { pipe } = renderToPipeableStream(<main>{all}</main>, { onError: (error) => void failures.push(error) })
    expect(await text(pipe(stream))).toContain('</main>')
    expect({ refused, failures }).toEqual({ refused: [], failures: [] })
  })

  test('with clients that the app creates while it renders', () => {
    function App(): ReactNode {
      const [one, other] = [newAddress(), newAddress()].map((baseUrl) => petstore.createPetstoreClient({ baseUrl }))
      expect(one?.scope).not.toBe(other?.scope)
      return (
        one && (
          <PetstoreProvider client={one}>
            <CategoryList />
          </PetstoreProvider>
        )
      )
    }
    forbidUnstableValues()
    expect(renderToString(<App />)).toContain('Loading')
  })

  test('and the pages above have every component', () => {
    const components = Object.keys(petstore).filter((name) => /^[A-Z]/.test(name) && !/Error$/.test(name))
    const names = pages.map(({ name }) => name.split(':')[0])
    expect(components.filter((name) => name !== 'PetstoreProvider' && !names.includes(name))).toEqual([])
  })
})

test('MessageComposer T5: on a server nobody shares texts with anybody', () => {
  outboxStoreFor('draft').write('of one person')
  expect(outboxStoreFor('draft').getSnapshot().draft).toBe('')
})
