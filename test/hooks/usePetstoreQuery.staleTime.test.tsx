import { describe, expect, test } from 'vitest'
import { PetstoreProvider, usePetstoreQuery, type UsePetstoreQueryOptions } from '../../src/index.ts'
import {
  createSearchService,
  focus,
  network,
  pass,
  recordingClient,
  renderInCache,
  search,
  settle,
  stopTimeInEachTest,
} from './query.setup.tsx'

stopTimeInEachTest()

const minute = 60_000

function Found(options: UsePetstoreQueryOptions<readonly string[]>) {
  return <p>{usePetstoreQuery(search, { term: 'dog' }, options).data?.join()}</p>
}

/** Shows a query, and counts the GETs of what a test does then. */
async function show(options: UsePetstoreQueryOptions<readonly string[]>, providedTime?: number) {
  const service = createSearchService()
  const { client } = recordingClient(service)
  const app = (isShown = true) => (
    <PetstoreProvider client={client} staleTime={providedTime}>
      {isShown && <Found {...options} />}
    </PetstoreProvider>
  )
  const { rerender } = renderInCache(app())
  await settle(() => service.requests.length > 0)
  return {
    gets: () => service.requests.length,
    remount: async () => {
      rerender(app(false))
      await pass(1)
      rerender(app())
      await pass(1_000)
    },
  }
}

/** Ten changes of focus in ten minutes. */
async function focusTenTimes(): Promise<void> {
  const changeFocus = () => pass(minute).then(focus)
  // In turn: each change of focus comes a minute after the last.
  // oxlint-disable-next-line no-await-in-loop
  for (let count = 0; count < 10; count += 1) await changeFocus()
}

describe('ten changes of focus in ten minutes cost', () => {
  test.each<[string, number, UsePetstoreQueryOptions<readonly string[]>, number | undefined]>([
    ['eleven requests by default', 11, {}, undefined],
    ['one with a staleTime of an hour', 1, { staleTime: 60 * minute }, undefined],
    ['one with that of the provider', 1, {}, 60 * minute],
    ['eleven where the query has its own', 11, { staleTime: 1 }, 60 * minute],
    ['four with one of three minutes', 4, { staleTime: 3 * minute - 1 }, undefined],
    ['one where the query does not look at the focus', 1, { revalidateOnFocus: false }, undefined],
  ])('%s', async (_, expected, options, providedTime) => {
    const { gets } = await show(options, providedTime)
    await focusTenTimes()
    expect(gets()).toBe(expected)
  })
})

test('what mounts again after a while is loaded only if it is older than the staleTime', async () => {
  const stale = await show({ staleTime: minute })
  await pass(59_000)
  await stale.remount()
  expect(stale.gets()).toBe(1)
  await pass(minute)
  await stale.remount()
  expect(stale.gets()).toBe(2)
})

test.each([
  [true, 2],
  [false, 1],
])('revalidateOnReconnect: %s, when the browser is online again: %i GETs', async (revalidateOnReconnect, gets) => {
  const shown = await show({ revalidateOnReconnect })
  await pass(minute)
  await network('offline')
  await network('online')
  await pass(1_000)
  expect(shown.gets()).toBe(gets)
})
