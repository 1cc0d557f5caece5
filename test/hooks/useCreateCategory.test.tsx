import { cleanup, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { SWRConfig, type SWRConfiguration } from 'swr'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createPetstoreClient,
  PetstoreProvider,
  prefetchQuery,
  operations,
  useCategories,
  useCreateCategory,
  type UseCreateCategoryResult,
} from '../../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { optionsFor, OwnCache } from '../renderOnService.tsx'
import { holdResponses } from './holdResponses.ts'
import { lastOf, settled } from './renderHookOnService.tsx'

afterEach(cleanup)

function List({ name = 'list' }: { readonly name?: string }) {
  const { data, error, isLoading, refresh } = useCategories()
  return (
    <button type="button" aria-label={name} onClick={() => void refresh()}>
      {isLoading && 'loading '}
      {error && `${error.kind} `}
      {data?.map((category) => category.name).join()}
    </button>
  )
}

const shown = (name = 'list') => screen.getByLabelText(name).textContent?.trim()
const refresh = (name = 'list') => screen.getByLabelText(name).click()

/** A page with `useCreateCategory`, and its parts. */
function createPage(service: PetstoreService = createPetstoreService({ categories: [{ name: 'Dog' }] })) {
  const { hold, fetch } = holdResponses(service)
  const client = createPetstoreClient(optionsFor({ fetch }))
  const creation = lastOf<UseCreateCategoryResult>()
  function Creator() {
    creation.set(useCreateCategory())
    return null
  }
  const page = (children: ReactNode, isCreatorShown = true, swr: SWRConfiguration = {}) => (
    <OwnCache {...swr}>
      <PetstoreProvider client={client}>
        {children}
        {isCreatorShown && <Creator />}
      </PetstoreProvider>
    </OwnCache>
  )
  return {
    service,
    hold,
    page,
    create: (name: string, signal?: AbortSignal) => creation.get().trigger({ name }, { signal }),
    prepare: () => prefetchQuery(client, operations.listCategories),
    /** The methods of all requests so far, joined. */
    sent: () => service.requests.map(({ method }) => method).join(),
    // Until the quota is known, requests leave one at a time.
    learnQuota: async () => {
      await client.listCategories()
      service.reset()
    },
  }
}

describe('the lists on the page', () => {
  test('all show the created category without another request, also those of another cache', async () => {
    const { page, create, sent } = createPage()
    render(
      page(
        <>
          <List name="one" />
          <List name="two" />
          <SWRConfig value={{ revalidateIfStale: false }}>
            <List name="three" />
          </SWRConfig>
          <OwnCache>
            <List name="other" />
          </OwnCache>
        </>,
      ),
    )
    const all = () => ['one', 'two', 'three', 'other'].map(shown)
    await waitFor(() => expect(all()).toEqual(['Dog', 'Dog', 'Dog', 'Dog']))
    const created = await create('Cat')
    expect(created.data).toMatchObject({ name: 'Cat' })
    await waitFor(() => expect(all()).toEqual(['Dog,Cat', 'Dog,Cat', 'Dog,Cat', 'Dog,Cat']))
    await create('Rabbit')
    await waitFor(() => expect(shown('one')).toBe('Dog,Cat,Rabbit'))
    await settled()
    expect(sent()).toBe('GET,POST,POST')
  })

  test('that a server has prepared show the created category, too', async () => {
    const { page, create, service, prepare, sent } = createPage()
    const fallback = await prepare()
    service.reset()
    render(page(<List />, true, { fallback }))
    expect(shown()).toBe('Dog')
    await create('Cat')
    await waitFor(() => expect(shown()).toBe('Dog,Cat'))
    await settled()
    expect(sent()).toBe('POST')
  })

  test('that a server has prepared, and that mount only after the creation, are loaded again', async () => {
    const { page, create, service, prepare, sent } = createPage()
    const fallback = await prepare()
    service.reset()
    const { rerender } = render(page(null, true, { fallback }))
    await create('Cat')
    rerender(page(<List />, true, { fallback }))
    await waitFor(() => expect(shown()).toBe('Dog,Cat'))
    expect(sent()).toBe('POST,GET')
  })

  test('show the category even if the component that created it unmounts before the response', async () => {
    const { page, create, hold, sent } = createPage()
    const { rerender } = render(page(<List />))
    await waitFor(() => expect(shown()).toBe('Dog'))
    const response = hold('POST')
    const creation = create('Cat')
    await response.arrived
    rerender(page(<List />, false))
    response.letGo()
    await creation
    await waitFor(() => expect(shown()).toBe('Dog,Cat'))
    expect(sent()).toBe('GET,POST')
  })

  test.each([
    [{ connection: 'lost-after' }, 'network', 'unknown', 'Dog,Rabbit'],
    [{ connection: 'lost-before' }, 'network', 'unknown', 'Dog'],
    [{ body: 'malformed-json' }, 'response-validation', 'applied', 'Dog,Rabbit'],
  ] as const)('load again after %o, since the category may exist', async (fault, kind, outcome, rows) => {
    const { page, create, service, sent } = createPage()
    render(page(<List />))
    await waitFor(() => expect(shown()).toBe('Dog'))
    service.failNext(fault)
    await expect(create('Rabbit')).resolves.toMatchObject({ error: { kind, outcome } })
    await waitFor(() => expect(sent()).toBe('GET,POST,GET'))
    await waitFor(() => expect(shown()).toBe(rows))
  })
})

test('a list loads again after the cancellation of a call whose request had left', async () => {
  const { page, create, hold, sent } = createPage()
  render(page(<List />))
  await waitFor(() => expect(shown()).toBe('Dog'))
  const held = hold('POST')
  const controller = new AbortController()
  const created = create('Rabbit', controller.signal)
  await held.arrived
  controller.abort()
  expect((await created).error?.name).toBe('AbortError')
  await waitFor(() => expect(shown()).toBe('Dog,Rabbit'))
  expect(sent()).toBe('GET,POST,GET')
})

test('a call that ends after the app and its cache are gone resolves, and sends no GET', async () => {
  const { page, create, hold, sent } = createPage()
  render(page(<List />))
  await waitFor(() => expect(shown()).toBe('Dog'))
  const held = hold('POST')
  const created = create('Rabbit')
  await held.arrived
  cleanup()
  held.letGo()
  expect(await created).toMatchObject({ data: { name: 'Rabbit' } })
  expect(sent()).toBe('GET,POST')
})

describe('a category that is created during a GET whose response lacks it', () => {
  test.each(['before', 'after'])(
    'shows in the end if that is the first GET, which responds %s the one that replaces it',
    async (order) => {
      const { page, create, hold, sent, learnQuota } = createPage()
      await learnQuota()
      const early = hold('GET')
      render(page(<List />))
      await early.arrived
      const late = hold('GET')
      await create('Cat')
      await late.arrived
      if (order === 'before') early.letGo()
      await settled()
      expect(shown()).toBe('loading') // not the old rows, which lack the new one
      late.letGo()
      await waitFor(() => expect(shown()).toBe('Dog,Cat'))
      early.letGo()
      await settled()
      expect(shown()).toBe('Dog,Cat')
      expect(sent()).toBe('GET,POST,GET')
    },
  )

  test('shows at once and stays if that is a later GET', async () => {
    const { page, create, hold, sent } = createPage()
    render(page(<List />))
    await waitFor(() => expect(shown()).toBe('Dog'))
    const early = hold('GET')
    refresh()
    await early.arrived
    const late = hold('GET')
    await create('Cat')
    await waitFor(() => expect(shown()).toBe('Dog,Cat'))
    early.letGo()
    await late.arrived
    await settled()
    expect(shown()).toBe('Dog,Cat')
    late.letGo()
    await settled()
    expect(shown()).toBe('Dog,Cat')
    expect(sent()).toBe('GET,GET,POST,GET')
  })
})

describe('a creation without a loaded list', () => {
  test('because none was mounted: nothing loads until one is', async () => {
    const { page, create, sent } = createPage()
    const { rerender } = render(page(null))
    await create('Cat')
    await settled()
    expect(sent()).toBe('POST')
    rerender(page(<List />))
    await waitFor(() => expect(shown()).toBe('Dog,Cat'))
    expect(sent()).toBe('POST,GET')
  })

  test('because it failed to load: it loads now', async () => {
    const { page, create, service, sent } = createPage()
    service.failNext({ status: 500 })
    render(page(<List />))
    await waitFor(() => expect(shown()).toBe('server'))
    await create('Cat')
    await waitFor(() => expect(shown()).toBe('Dog,Cat'))
    expect(sent()).toBe('GET,POST,GET')
  })
})

test('a row that the list already contains is not added again', async () => {
  const { page, create, hold, service } = createPage()
  render(page(<List />))
  await waitFor(() => expect(shown()).toBe('Dog'))
  const response = hold('POST')
  const creation = create('Cat')
  await response.arrived
  await service.fetch(`${service.baseUrl}/categories`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/json' },
    body: '{"name":"Rabbit"}',
  })
  refresh()
  await waitFor(() => expect(shown()).toBe('Dog,Cat,Rabbit'))
  response.letGo()
  await creation
  await settled()
  expect(shown()).toBe('Dog,Cat,Rabbit')
})
