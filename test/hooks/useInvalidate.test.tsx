import { act } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  defineOperation,
  type Operation,
  useInvalidate,
  usePetstoreMutation,
  type UsePetstoreMutationResult,
} from '../../src/index.ts'
import type { ServiceResponse } from '../../src/testing.ts'
import {
  createSearchService,
  focus,
  pass,
  recordingClient,
  renderOnClient,
  search,
  settle,
  stopTimeInEachTest,
} from './query.setup.tsx'
import { OwnCache } from '../renderOnService.tsx'
import { lastOf } from './renderHookOnService.tsx'
import { Found, shown, texts } from './usePetstoreQuery.setup.tsx'

stopTimeInEachTest()

const rename: Operation<{ readonly name: string }, unknown> = defineOperation({
  name: 'rename',
  method: 'POST',
  path: '/rename',
  input: z.object({ name: z.string() }),
  output: z.unknown(),
})

/** A service whose responses to `search` are numbered, and that responds to `rename` as told. */
function createService(respond: () => ServiceResponse = () => ({ body: {} })) {
  let count = 0
  return createSearchService({
    operations: [
      { operation: rename, handle: respond },
      { operation: search, handle: ({ query }) => ({ body: [`${query.get('term')} ${(count += 1)}`] }) },
    ],
  })
}

const latest = lastOf<{
  readonly invalidate: ReturnType<typeof useInvalidate>
  readonly renaming: UsePetstoreMutationResult<{ readonly name: string }, unknown>
  readonly setTerms: (terms: readonly string[]) => void
}>()
const invalidate: ReturnType<typeof useInvalidate> = (operation, input) => latest.get().invalidate(operation, input)
const show = (terms: readonly string[]) => act(() => latest.get().setTerms(terms))
const renaming = () => latest.get().renaming

function App({ initial, enabled }: { readonly initial: readonly string[]; readonly enabled?: boolean }) {
  const [terms, setTerms] = useState(initial)
  const invalidateNow = useInvalidate()
  const renamingNow = usePetstoreMutation(rename, { invalidates: [search] })
  latest.set({ invalidate: invalidateNow, renaming: renamingNow, setTerms })
  return terms.map((term) => <Found key={term} term={term} enabled={enabled} />)
}

async function renderApp(initial: readonly string[], service = createService(), enabled = true) {
  const recorded = recordingClient(service)
  const view = renderOnClient(<App initial={initial} enabled={enabled} />, recorded.client)
  await settle(() => !shown().some((text) => text?.includes('loading')))
  const gets = () => service.requests.filter(({ method }) => method === 'GET').length
  return { ...recorded, ...view, service, gets }
}

describe('invalidate', () => {
  test('reaches every cache of the page', async () => {
    const { client } = recordingClient(createService())
    renderOnClient(
      <>
        <App initial={['dog']} />
        <OwnCache>
          <Found term="dog" />
        </OwnCache>
      </>,
      client,
    )
    await settle(() => !shown().some((text) => text?.includes('loading')))
    expect(shown()).toEqual(['dog 1, no error, idle', 'dog 1, no error, idle'])
    await act(() => invalidate(search))
    expect(shown()).toEqual(['dog 2, no error, idle', 'dog 2, no error, idle'])
  })

  test('loads again what is shown, in the background, and resolves when it has arrived', async () => {
    const { gets, priorities } = await renderApp(['dog', 'cat'])
    expect(gets()).toBe(2)
    await act(() => invalidate(search))
    expect(shown()).toEqual(['dog 3, no error, idle', 'cat 4, no error, idle'])
    expect(priorities).toEqual(['user', 'user', 'background', 'background'])
  })

  test('with an input: loads only the data of that input', async () => {
    const { gets } = await renderApp(['dog', 'cat'])
    await act(() => invalidate(search, { term: 'cat' }))
    expect(shown()).toEqual(['dog 1, no error, idle', 'cat 3, no error, idle'])
    expect(gets()).toBe(3)
  })

  test('of data that are not on the screen: they load when they are shown again, once, even if fresh', async () => {
    const { gets } = await renderApp(['dog', 'cat'])
    show(['cat'])
    await pass(1_000)
    await act(() => invalidate(search, { term: 'dog' }))
    expect(gets()).toBe(2)
    show(['dog', 'cat'])
    await pass(1_000)
    expect(shown()).toEqual(['dog 3, no error, idle', 'cat 2, no error, idle'])
    show(['cat'])
    await pass(1_000)
    show(['dog', 'cat'])
    await pass(1_000)
    expect(gets()).toBe(3)
  })

  test('drops the response to a request that left before it', async () => {
    const service = createService()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { client } = recordingClient({
      fetch: async (request) => {
        const isSecond = service.requests.length === 1
        const response = await service.fetch(request)
        if (isSecond) await released
        return response
      },
    })
    renderOnClient(<App initial={['cat']} />, client)
    await settle(() => shown()[0] === 'cat 1, no error, idle')
    texts.length = 0
    show(['dog'])
    await settle(() => service.requests[1]?.status !== undefined)
    const done = invalidate(search, { term: 'dog' })
    await settle(() => service.requests[2]?.status !== undefined)
    release()
    await act(() => done)
    expect(shown()).toEqual(['dog 3, no error, idle'])
    expect(service.requests).toHaveLength(3)
    expect(texts).not.toContainEqual(expect.stringContaining('dog 2'))
  })

  test('a query that is not enabled loads nothing until it is', async () => {
    const service = createService()
    const { gets, rerender } = await renderApp(['dog'], service)
    rerender(<App initial={['dog']} enabled={false} />)
    await pass(1_000)
    await act(() => invalidate(search))
    expect(gets()).toBe(1)
    rerender(<App initial={['dog']} enabled />)
    await settle(() => gets() > 1)
    expect(gets()).toBe(2)
  })

  test('after a failed load, never rejects and keeps the old data', async () => {
    const { service } = await renderApp(['dog'])
    service.failNext({ status: 500 })
    await act(() => invalidate(search))
    expect(shown()).toEqual(['dog 1, server, idle'])
  })

  test('of another operation loads nothing, also not at the next focus', async () => {
    const { gets } = await renderApp(['dog'])
    await act(() => invalidate(rename))
    await focus()
    expect(gets()).toBe(1)
  })
})

describe('the option `invalidates`', () => {
  test('loads again after a success', async () => {
    const { gets } = await renderApp(['dog'])
    await act(() => renaming().trigger({ name: 'Rex' }))
    await settle(() => gets() > 1)
    expect(shown()).toEqual(['dog 2, no error, idle'])
  })

  test.each([
    ['loads again after a failure where the service may have applied the change', 500, 2],
    ['loads nothing after a failure where the service refused the change', 400, 1],
  ])('%s', async (_, status, count) => {
    const { gets } = await renderApp(
      ['dog'],
      createService(() => ({ status, body: {} })),
    )
    await act(() => renaming().trigger({ name: 'Rex' }))
    await pass(1_000)
    expect(gets()).toBe(count)
  })

  test('loads again after the cancellation of a call whose request had left', async () => {
    const { gets } = await renderApp(
      ['dog'],
      createService(() => new Promise<never>(() => {}) as never),
    )
    const done = renaming().trigger({ name: 'Rex' })
    await pass(1_000)
    renaming().cancel()
    await act(() => done)
    await pass(1_000)
    expect(gets()).toBe(2)
  })
})
