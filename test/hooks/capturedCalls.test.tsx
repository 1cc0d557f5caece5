import { act, cleanup, render } from '@testing-library/react'
import { type ReactElement, StrictMode, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, describe, expect, test } from 'vitest'
import {
  operations,
  type PetstoreClient,
  type PetstoreClientOptions,
  PetstoreProvider,
  useCreateCategory,
  usePetstoreClient,
} from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { newAddress, optionsFor } from '../renderOnService.tsx'
import { lastOf, settled } from './renderHookOnService.tsx'

afterEach(cleanup)

/** What code may have captured in a render and use later, when the provider has changed. */
interface Captured {
  readonly client: PetstoreClient
  /** An address of the service. */
  readonly url: string
  readonly trigger: () => Promise<unknown>
}

/** An app with a provider. `capture` returns what its components got in the last render. */
function setup() {
  const service = createPetstoreService({ keys: ['first', 'second'], categories: [] })
  const captured = lastOf<Captured>()
  function Capture() {
    const client = usePetstoreClient()
    const { trigger } = useCreateCategory()
    captured.set({
      client,
      url: `${options.baseUrl}/categories`,
      trigger: () => trigger({ name: 'Fox' }),
    })
    return null
  }
  const options: PetstoreClientOptions = { ...optionsFor(service), apiKey: 'first', scope: newAddress() }
  const app = (changes: Partial<PetstoreClientOptions> = {}) => (
    <PetstoreProvider {...options} {...changes}>
      <Capture />
    </PetstoreProvider>
  )
  return { service, app, capture: captured.get }
}

const calls: readonly (readonly [string, (captured: Captured) => Promise<unknown>])[] = [
  ['client.createCategory', ({ client }) => client.createCategory({ name: 'Fox' })],
  ['client.listCategories', ({ client }) => client.listCategories()],
  ['client.call', ({ client }) => client.call(operations.listCategories)],
  ['client.fetch', ({ client, url }) => client.fetch(url)],
]

const changes: readonly (readonly [string, Partial<PetstoreClientOptions> | undefined])[] = [
  ['another key', { apiKey: 'second' }],
  ['no key', { apiKey: undefined }],
  ['a function as key', { apiKey: () => 'second' }],
  ['another address', { baseUrl: newAddress() }],
  ['another scope', { scope: 'of-another-user' }],
  ['a provider that is gone', undefined],
]

describe.each(changes)('with %s, a captured', (_, change) => {
  const next = (app: ReturnType<typeof setup>['app']): ReactElement => (change ? app(change) : <p />)

  test.each(calls)('%s sends nothing, and says why', async (_name, call) => {
    for (const Wrapper of [StrictMode, undefined]) {
      const { service, app, capture } = setup()
      const { rerender, unmount } = render(app(), Wrapper ? { wrapper: Wrapper } : {})
      const captured = capture()
      rerender(next(app))
      const result = call(captured)
      await expect(result).rejects.toMatchObject({
        name: 'AbortError',
        message: expect.stringContaining('Nothing was sent'),
      })
      await settled()
      await expect(call(captured)).rejects.toMatchObject({ name: 'AbortError' })
      expect(service.requests).toEqual([])
      unmount()
    }
  })

  test('trigger sends nothing, and resolves with an AbortError', async () => {
    const { service, app, capture } = setup()
    const { rerender } = render(app())
    const captured = capture()
    rerender(next(app))
    expect(await captured.trigger()).toMatchObject({ data: undefined, error: { name: 'AbortError' } })
    expect(service.requests).toEqual([])
  })

  test('function sends nothing even before React cleans up the effects of the old render', async () => {
    const { service, app, capture } = setup()
    const container = document.createElement('div')
    const root = createRoot(container)
    await act(async () => root.render(app()))
    const captured = capture()
    let outcomes: Promise<readonly PromiseSettledResult<unknown>[]> | undefined
    /** Runs in the commit of the change, before React cleans up effects. */
    function CallInCommit() {
      useLayoutEffect(() => {
        outcomes ??= Promise.allSettled(calls.map(([, call]) => call(captured)))
      }, [])
      return null
    }
    await act(async () =>
      flushSync(() =>
        root.render(
          <>
            {next(app)}
            <CallInCommit />
          </>,
        ),
      ),
    )
    expect((await outcomes)?.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'))
    expect(service.requests).toEqual([])
    await act(async () => root.unmount())
  })
})

test('a call that waits for its key when the key changes sends nothing', async () => {
  const { service, app, capture } = setup()
  let giveKey = (_key: string) => {}
  const apiKey = () =>
    new Promise<string>((resolve) => {
      giveKey = resolve
    })
  const { rerender } = render(app({ apiKey }))
  const result = capture().client.listCategories()
  const outcome = Promise.allSettled([result])
  rerender(app({ apiKey: 'second' }))
  giveKey('first')
  await settled()
  expect(await outcome).toMatchObject([{ status: 'rejected', reason: { name: 'AbortError' } }])
  expect(service.requests).toEqual([])
})
