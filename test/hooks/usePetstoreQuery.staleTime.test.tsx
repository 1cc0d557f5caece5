import { act, screen } from '@testing-library/react'
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
  const { data, error, refresh } = usePetstoreQuery(search, { term: 'dog' }, options)
  return (
    <button type="button" onClick={() => void refresh()}>
      {data?.join()} {error?.kind}
    </button>
  )
}

const text = () => screen.getByRole('button').textContent

/** Shows a query. `gets` counts its requests. */
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
    service,
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
    ['one with a staleTime of an hour at the provider', 1, {}, 60 * minute],
    ['eleven where the query has a staleTime of its own, of 1 ms', 11, { staleTime: 1 }, 60 * minute],
    ['four with a staleTime of three minutes', 4, { staleTime: 3 * minute - 1 }, undefined],
    ['one with revalidateOnFocus: false', 1, { revalidateOnFocus: false }, undefined],
  ])('%s', async (_, expected, options, providedTime) => {
    const { gets } = await show(options, providedTime)
    await focusTenTimes()
    expect(gets()).toBe(expected)
  })
})

test.each([
  [true, 2],
  [false, 1],
])('with revalidateOnReconnect: %s, a page has sent %i GETs after a reconnect', async (revalidateOnReconnect, gets) => {
  const shown = await show({ revalidateOnReconnect })
  await pass(minute)
  await network('offline')
  await network('online')
  await pass(1_000)
  expect(shown.gets()).toBe(gets)
})

test.each(['focus', 'mount', 'reconnect'] as const)(
  'after a failure, each %s loads the data again until one succeeds, even with an infinite staleTime',
  async (event) => {
    const { service, gets, remount } = await show({ staleTime: Infinity })
    // StrictMode mounts twice, and each mount loads.
    const failures = event === 'mount' ? 2 : 1
    service.failNext({ status: 400 }, 1 + failures)
    await pass(minute)
    act(() => screen.getByRole('button').click())
    await pass(minute)
    expect([text(), gets()]).toEqual(['dog 1 bad-request', 2])
    const happens = { focus, mount: remount, reconnect: () => network('online') }
    for (const expected of ['dog 1 bad-request', 'dog 2 ', 'dog 2 ']) {
      await happens[event]()
      await pass(minute)
      expect(text()).toBe(expected)
    }
    expect(gets()).toBe(3 + failures)
  },
)
