import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { Profiler, type ReactNode, useLayoutEffect } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createPetstoreClient,
  type PendingCategory,
  PetstoreProvider,
  useCategories,
  useCreateCategory,
  type UseCreateCategoryResult,
  usePendingCategories,
} from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor, OwnCache } from '../renderOnService.tsx'
import { holdResponses } from './holdResponses.ts'
import { lastOf, settled } from './renderHookOnService.tsx'

afterEach(cleanup)

const List = () =>
  useCategories()
    .data?.map(({ name }) => name)
    .join()

let latest: readonly PendingCategory[] = []
function Pending() {
  const rows = usePendingCategories()
  useLayoutEffect(() => {
    latest = rows
  })
  return (
    <>
      {rows.map(({ key, name }) => (
        <i key={key}> + {name}</i>
      ))}
    </>
  )
}

/** A page with `useCreateCategory`. Its `text` is the list and then the pending categories: `Dog + Cat`. */
function createPage() {
  const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
  const { hold, fetch } = holdResponses(service)
  const client = createPetstoreClient(optionsFor({ fetch }))
  const creation = lastOf<UseCreateCategoryResult>()
  function Creator() {
    creation.set(useCreateCategory({ optimistic: true }))
    return null
  }
  const commits: string[] = []
  const page = (children: ReactNode = <List />) => (
    <OwnCache>
      <PetstoreProvider client={client}>
        <Profiler id="page" onRender={() => void (commits.at(-1) === text() || commits.push(text()))}>
          <p data-testid="page">
            {children}
            <Pending />
          </p>
        </Profiler>
        <Creator />
      </PetstoreProvider>
    </OwnCache>
  )
  const text = () => screen.getByTestId('page').textContent ?? ''
  return {
    service,
    client,
    hold,
    page,
    text,
    /** The text of the page after each commit that changed it. */
    commits,
    create: (name: string) => creation.get().trigger({ name }),
    createUntyped: (json: string) => creation.get().trigger(JSON.parse(json)),
    learnQuota: async () => {
      await client.listCategories()
      service.reset()
    },
  }
}

test('a pending row disappears in the same commit in which the list shows the created category', async () => {
  const { page, create, hold, text, commits } = createPage()
  render(page())
  await waitFor(() => expect(text()).toBe('Dog'))
  const response = hold('POST')
  const creation = create('Cat')
  await response.arrived
  response.letGo()
  await creation
  await waitFor(() => expect(text()).toBe('Dog,Cat'))
  await settled()
  expect(commits).toEqual(['', 'Dog', 'Dog + Cat', 'Dog,Cat'])
})

test.each(['is loading', 'has failed'])('if the list %s, a pending row stays until it has loaded', async (state) => {
  const { page, create, hold, text, commits, learnQuota, service } = createPage()
  await learnQuota()
  const early = hold('GET')
  if (state === 'has failed') service.failNext({ status: 500 })
  render(page())
  await early.arrived
  if (state === 'has failed') early.letGo()
  const response = hold('POST')
  const late = hold('GET')
  const creation = create('Cat')
  await response.arrived
  await waitFor(() => expect(text()).toBe(' + Cat'))
  response.letGo()
  await creation
  await late.arrived
  await settled()
  expect(text()).toBe(' + Cat')
  late.letGo()
  await waitFor(() => expect(text()).toBe('Dog,Cat'))
  await settled()
  // React may commit the list some microtasks before it removes the row; the browser does not paint in between.
  expect(commits.filter((commit) => commit !== 'Dog,Cat + Cat')).toEqual(['', ' + Cat', 'Dog,Cat'])
})

test('without a list on the page, a pending row disappears with the response', async () => {
  const { page, create, text, commits } = createPage()
  render(page(null))
  await create('Cat')
  await waitFor(() => expect(text()).toBe(''))
  expect(commits).toEqual(['', ' + Cat', ''])
})

describe('no ghost row remains', () => {
  test('after a failure', async () => {
    const { page, create, text, commits, service } = createPage()
    render(page())
    await waitFor(() => expect(text()).toBe('Dog'))
    service.failNext({ status: 400 })
    await expect(create('Cat')).resolves.toMatchObject({ error: { kind: 'bad-request' } })
    await waitFor(() => expect(text()).toBe('Dog'))
    expect(commits).toEqual(['', 'Dog', 'Dog + Cat', 'Dog'])
  })

  // With an optimistic update of the cache, the row of the failed call would come back with the other call's response.
  test.each([
    ['A', 'B'],
    ['B', 'A'],
  ])('when A and B overlap, A fails and %s ends first', async (...order) => {
    const { page, create, hold, text, commits, learnQuota, service } = createPage()
    await learnQuota()
    render(page())
    await waitFor(() => expect(text()).toBe('Dog'))
    service.failNext({ status: 400 })
    const responses = { A: hold('POST'), B: hold('POST') }
    const results = [create('A').catch((error: unknown) => error)]
    await responses.A.arrived
    results.push(create('B'))
    await responses.B.arrived
    await waitFor(() => expect(text()).toBe('Dog + A + B'))
    for (const name of order) {
      responses[name === 'A' ? 'A' : 'B'].letGo()
      await results[name === 'A' ? 0 : 1]
      await settled()
    }
    await expect(results[0]).resolves.toMatchObject({ error: { kind: 'bad-request' } })
    expect(text()).toBe('Dog,B')
    const between = order[0] === 'A' ? 'Dog + B' : 'Dog,B + A'
    expect(commits.slice(-3)).toEqual(['Dog + A + B', between, 'Dog,B'])
  })
})

test('pending rows keep the order of their triggers, with unique keys, name and description, but no id', async () => {
  const { page, hold, text, createUntyped } = createPage()
  render(page())
  await waitFor(() => expect(text()).toBe('Dog'))
  const responses = [hold('POST'), hold('POST'), hold('POST')]
  const results = Promise.all([
    createUntyped('{"name":"A","id":"7","key":"mine"}'),
    createUntyped('{"name":"A","description":"the second"}'),
    createUntyped('{"name":"B"}'),
  ])
  await waitFor(() => expect(text()).toBe('Dog + A + A + B'))
  const keys = latest.map(({ key }) => key)
  expect(new Set(keys).size).toBe(3)
  expect(latest).toStrictEqual([
    { key: keys[0], name: 'A' },
    { key: keys[1], name: 'A', description: 'the second' },
    { key: keys[2], name: 'B' },
  ])
  for (const { letGo } of responses) letGo()
  await results
})

test('usePendingCategories shows nothing without `optimistic`, and nothing of other clients', async () => {
  const { page, client, hold, commits } = createPage()
  const others = createPetstoreClient(optionsFor(createPetstoreService()))
  const plain = lastOf<UseCreateCategoryResult>()
  const foreign = lastOf<UseCreateCategoryResult>()
  function Creator({ creation, optimistic }: { readonly creation: typeof plain; readonly optimistic: boolean }) {
    creation.set(useCreateCategory({ optimistic }))
    return null
  }
  render(
    <>
      {page(null)}
      <PetstoreProvider client={client}>
        <Creator creation={plain} optimistic={false} />
      </PetstoreProvider>
      <PetstoreProvider client={others}>
        <Creator creation={foreign} optimistic />
      </PetstoreProvider>
    </>,
  )
  const { arrived, letGo } = hold('POST')
  const created = [plain, foreign].map(({ get }) => get().trigger({ name: 'Cat' }))
  await arrived
  letGo()
  await Promise.all(created)
  expect(commits).toEqual([''])
})
