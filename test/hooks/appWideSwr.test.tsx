import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Suspense, useRef } from 'react'
import useSWR, { type Cache, type Middleware, mutate as mutateDefault, type SWRConfiguration, useSWRConfig } from 'swr'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPetstoreClient, PetstoreProvider, useCategories, type UseCategoriesOptions } from '../../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'
import { lastOf } from './renderHookOnService.tsx'
import { frame, pass, renderInCache, renderSuspending, settle, stopTime, suspending } from './query.setup.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const dogs = () => createPetstoreService({ categories: [{ name: 'Dog' }] })

function Names(options: UseCategoriesOptions) {
  const { data, error, isValidating, refresh } = useCategories(options)
  return (
    <button type="button" onClick={() => void refresh()}>
      {`${data?.map(({ name }) => name).join() ?? 'nothing'}, ${error?.kind ?? 'no error'}${isValidating ? ', validating' : ''}`}
    </button>
  )
}

async function expectText(text: string): Promise<void> {
  await settle(() => screen.queryByText(text) !== null)
  expect(screen.getByText(text)).toBeDefined()
}

/** Renders an app whose components below the provider can mount and unmount. */
function renderApp(service: PetstoreService, swr: SWRConfiguration, below = <Names />) {
  const settings = optionsFor(service)
  const app = (isShown: boolean) => (
    <Suspense fallback="suspended">
      <PetstoreProvider {...settings}>{isShown && below}</PetstoreProvider>
    </Suspense>
  )
  const { rerender } = renderInCache(app(true), swr)
  return { show: (isShown: boolean) => rerender(app(isShown)) }
}

const ignore = vi.fn<() => void>()

/** The middleware `laggy` of SWR's documentation, but it always shows the same old data. */
const laggy: Middleware = (useNext) => (key, fetcher, config) => {
  const last = useRef<unknown>('something old')
  const result = useNext(key, fetcher, config)
  return { ...result, data: last.current } as typeof result
}

/** The middleware of SWR's documentation that serializes keys. */
const textKeys: Middleware = (useNext) => (key, fetcher, config) =>
  useNext(
    JSON.stringify(key) as typeof key,
    fetcher && ((() => Reflect.apply(fetcher, null, [key])) as typeof fetcher),
    config,
  )

const fail = () => {
  throw new Error('the mistake of the app')
}

const settings: [what: string, swr: SWRConfiguration][] = [
  ['suspense', { suspense: true }],
  ['eager retries', { shouldRetryOnError: true, errorRetryInterval: 1, errorRetryCount: 100 }],
  ['an onErrorRetry', { onErrorRetry: (_error, _key, _config, revalidate) => void revalidate({ retryCount: 1 }) }],
  ['dedupingInterval', { dedupingInterval: 0 }],
  ['isPaused', { isPaused: () => true }],
  ['compare', { compare: () => true }],
  ['fetcher', { fetcher: () => Promise.reject(new Error('the wrong fetcher')) }],
  ['revalidateOnMount', { revalidateOnMount: false }],
  ['keepPreviousData', { keepPreviousData: true }],
  ['fallbackData', { fallbackData: [{ id: '1', name: 'Wrong' }] }],
  ['no fallback', { fallback: undefined } as unknown as SWRConfiguration],
  ['onLoadingSlow', { loadingTimeout: 1, onLoadingSlow: ignore }],
  ['onSuccess and onError that throw', { onSuccess: fail, onError: fail }],
  ['middleware that changes results', { use: [laggy] }],
  ['middleware that changes keys', { use: [textKeys] }],
]

describe.each(settings)('an app-wide %s', (_, swr) => {
  beforeEach(() => void vi.stubGlobal('reportError', ignore)) // receives the errors of the app's callbacks

  test('does not change the behavior of the hooks', async () => {
    const service = dogs()
    const { show } = renderApp(service, swr)
    expect(screen.getByText('nothing, no error, validating')).toBeDefined()
    await expectText('Dog, no error')
    await frame()
    expect(service.requests).toHaveLength(1)

    // The response is fresh for 30 s.
    show(false)
    show(true)
    expect(screen.getByText('Dog, no error')).toBeDefined()
    await frame()
    expect(service.requests).toHaveLength(1)

    // A failure removes nothing and is not retried.
    service.failNext({ status: 500 })
    fireEvent.click(screen.getByRole('button'))
    await expectText('Dog, server')
    await frame()
    expect(screen.getByText('Dog, server')).toBeDefined()
    expect(service.requests.map(({ status }) => status)).toEqual([200, 500])

    fireEvent.click(screen.getByRole('button'))
    await expectText('Dog, no error')
    expect(service.requests).toHaveLength(3)
  })
})

test('an app-wide refreshInterval does not make hooks poll, even when their data are no longer fresh', async () => {
  stopTime()
  const service = dogs()
  renderApp(service, { refreshInterval: 1_000, refreshWhenHidden: true, refreshWhenOffline: true })
  await expectText('Dog, no error')
  await pass(120_000)
  expect(service.requests).toHaveLength(1)
})

describe("the app's own SWR", () => {
  const calls: string[] = []
  afterEach(() => {
    calls.length = 0
  })

  /** Fails twice, and SWR retries at once. */
  const flaky = async (key: string) => {
    calls.push(key)
    if (calls.length < 3) throw new Error('not yet')
    return `${key} ${calls.length}`
  }
  const eager: SWRConfiguration = { errorRetryInterval: 1, dedupingInterval: 0, fetcher: flaky }

  function Own({ name }: { name: string }) {
    const { data } = useSWR<string>(name)
    return <p>{data ?? `nothing of ${name}`}</p>
  }

  test('keeps the fetcher, retries and keys of its useSWR below the provider', async () => {
    const service = dogs()
    const cache = lastOf<Cache>()
    function CacheReader() {
      cache.set(useSWRConfig().cache)
      return null
    }
    renderApp(
      service,
      eager,
      <>
        <Names />
        <Own name="own" />
        <CacheReader />
      </>,
    )
    await expectText('Dog, no error')
    await expectText('own 3')
    expect(service.requests).toHaveLength(1)
    const keys = [...cache.get().keys()]
    // Both are in the app's cache.
    expect(keys).toContain('own')
    expect(keys.filter((key) => /^@"petstore","[^"]+","listCategories",null,$/.test(key))).toHaveLength(1)
    expect(keys).toHaveLength(2)
  })

  test('gets the responses to our hooks in its app-wide onSuccess and onError, too', async () => {
    const service = dogs()
    service.failNext({ status: 500 })
    const received: unknown[] = []
    const listen: SWRConfiguration = {
      onError: (error: unknown, key) => received.push([error, key]),
      onSuccess: (data, key) => received.push([data, key]),
    }
    renderApp(service, listen)
    await expectText('nothing, server')
    fireEvent.click(screen.getByRole('button'))
    await expectText('Dog, no error')
    const key = expect.stringContaining('listCategories') as unknown
    expect(received).toMatchObject([
      [{ kind: 'server' }, key],
      [[{ name: 'Dog' }], key],
    ])
  })
})

describe('the app', () => {
  const isOurs = (key: unknown) => Array.isArray(key) && key[0] === 'petstore'

  const clear: Record<string, (swr: ReturnType<typeof useSWRConfig>) => unknown> = {
    'with `mutate`': ({ mutate }) => mutate(isOurs, undefined, { revalidate: false }),
    'in the cache itself': ({ cache }) => [...cache.keys()].map((key) => cache.delete(key)),
  }
  test.each(
    Object.entries(clear).flatMap(([how, clearNow]) =>
      [false, true].map((suspense) => [how, suspense, clearNow] as const),
    ),
  )(
    'can clear the lists %s, so that a list that mounts later sends a request (suspense: %s)',
    async (_how, suspense, clearNow) => {
      const service = dogs()
      const options = optionsFor(service)
      const config = lastOf<ReturnType<typeof useSWRConfig>>()
      function Page({ isShown }: { readonly isShown: boolean }) {
        config.set(useSWRConfig())
        return <Suspense fallback="suspended">{isShown && <Names suspense={suspense} />}</Suspense>
      }
      const page = (isShown: boolean) => (
        <PetstoreProvider {...options}>
          <Page isShown={isShown} />
        </PetstoreProvider>
      )
      const { rerender } = await renderSuspending(page(true))
      await expectText('Dog, no error')
      await suspending(() => rerender(page(false)))
      await suspending(() => clearNow(config.get()))
      await suspending(() => rerender(page(true)))
      await expectText('Dog, no error')
      expect(service.requests).toHaveLength(2)
    },
  )

  test('can load the lists again with the default `mutate` if it has no SWRConfig', async () => {
    const service = dogs()
    const client = createPetstoreClient(optionsFor(service))
    render(
      <PetstoreProvider client={client}>
        <Names />
      </PetstoreProvider>,
    )
    await expectText('Dog, no error')
    act(() => void mutateDefault(isOurs))
    await settle(() => service.requests.length === 2)
    expect(service.requests).toHaveLength(2)
  })
})
