import { SWRConfig } from 'swr'
import { describe, expect, test } from 'vitest'
import { PetstoreProvider, type PrefetchedQueries, prefetchQuery } from '../../src/index.ts'
import type { PrefetchOptions } from '../../src/client/prefetchQuery.ts'
import {
  createSearchService,
  pass,
  recordingClient,
  renderInCache,
  renderOnClient,
  search,
  settle,
  stopTimeInEachTest,
} from './query.setup.tsx'
import { Found, type SearchOptions, shown, texts } from './usePetstoreQuery.setup.tsx'

stopTimeInEachTest()

const dogs = { term: 'dog' }

/** A page whose data a server has loaded. `priorities` are those of the requests that the page itself sends. */
async function prepare(options: PrefetchOptions = {}) {
  const service = createSearchService()
  const { client, ...recorded } = recordingClient(service, 'ann')
  let fallback: PrefetchedQueries | undefined
  void prefetchQuery(client, search, dogs, options).then((loaded) => {
    fallback = loaded
  })
  await settle(() => fallback !== undefined)
  // As a server embeds it in the page.
  const embedded: PrefetchedQueries = JSON.parse(JSON.stringify(fallback))
  recorded.priorities.length = 0
  const show = (props: SearchOptions = {}, swr = {}) =>
    renderOnClient(<Found {...dogs} {...props} />, client, { fallback: embedded, ...swr })
  return { ...recorded, service, client, fallback: embedded, show }
}

describe('prefetchQuery', () => {
  test('a fresh response is shown from the first render on, and costs no request', async () => {
    const { show, priorities } = await prepare()
    await pass(29_000)
    texts.length = 0
    show()
    await pass(60_000)
    expect(new Set(texts)).toEqual(new Set(['dog 1, no error, idle']))
    expect(priorities).toEqual([])
  })

  test('an older response is loaded again, in the background', async () => {
    const { show, priorities } = await prepare()
    await pass(30_000)
    show()
    expect(shown()).toEqual([expect.stringContaining('dog 1, no error')])
    await settle(() => shown()[0] === 'dog 2, no error, idle')
    expect(priorities).toEqual(['background'])
  })

  test.each([
    ['enabled: false', { enabled: false }, {}],
    ['revalidateIfStale: false of the app', {}, { revalidateIfStale: false }],
  ])('with %s, an older response is shown, but not loaded again', async (_, props, swr) => {
    const { show, priorities } = await prepare()
    await pass(30_000)
    show(props, swr)
    await pass(60_000)
    expect(shown()).toEqual(['dog 1, no error, idle'])
    expect(priorities).toEqual([])
  })

  test('a component that mounts later loads again only 30 s after the server has loaded', async () => {
    const { show, priorities } = await prepare()
    await pass(20_000)
    const { rerender } = show()
    await pass(9_900)
    rerender(<Found key="next" {...dogs} />)
    await pass(50)
    expect(priorities).toEqual([])
    await pass(50)
    rerender(<Found key="another" {...dogs} />)
    await pass(50)
    expect(shown()).toEqual(['dog 2, no error, idle'])
    expect(priorities).toEqual(['background'])
  })

  test('a response is shown only in the scope it was prepared for', async () => {
    const { show, client, fallback, priorities } = await prepare({ scope: 'bob' })
    show()
    expect(shown()).toEqual(['nothing, no error, loading'])
    await settle(() => shown()[0] === 'dog 2, no error, idle')
    const bob = { ...client, scope: 'bob' }
    renderInCache(
      <SWRConfig value={{ fallback }}>
        <PetstoreProvider client={bob}>
          <Found {...dogs} />
        </PetstoreProvider>
      </SWRConfig>,
    )
    expect(shown()).toEqual(['dog 2, no error, idle', 'dog 1, no error, idle'])
    expect(priorities).toEqual(['user'])
  })
})
