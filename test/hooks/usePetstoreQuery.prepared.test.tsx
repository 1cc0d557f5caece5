import { describe, expect, test } from 'vitest'
import { type PrefetchedQueries, prefetchQuery } from '../../src/index.ts'
import {
  createSearchService,
  pass,
  recordingClient,
  renderOnClient,
  search,
  settle,
  stopTimeInEachTest,
} from './query.setup.tsx'
import { Found, type SearchOptions, shown } from './usePetstoreQuery.setup.tsx'

stopTimeInEachTest()

const dogs = { term: 'dog' }

/** A page whose data a server has loaded. `priorities` are those of the requests that the page itself sends. */
async function prepare() {
  const service = createSearchService()
  const { client, ...recorded } = recordingClient(service, 'ann')
  let fallback: PrefetchedQueries | undefined
  void prefetchQuery(client, search, dogs).then((loaded) => {
    fallback = loaded
  })
  await settle(() => fallback !== undefined)
  // As a server embeds it in the page.
  const embedded: PrefetchedQueries = JSON.parse(JSON.stringify(fallback))
  recorded.priorities.length = 0
  const show = (props: SearchOptions = {}, swr = {}) =>
    renderOnClient(<Found {...dogs} {...props} />, client, { fallback: embedded, ...swr })
  return { ...recorded, show }
}

describe('prefetchQuery', () => {
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
})
