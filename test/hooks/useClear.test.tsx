import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { SWRConfig } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  CategoryList,
  createPetstoreClient,
  defineOperation,
  MessageComposer,
  type PetstoreClient,
  PetstoreProvider,
  prefetchQuery,
  useClear,
  useCreateCategory,
  usePetstoreClient,
  usePetstoreQuery,
} from '../../src/index.ts'
import { anything } from '../../src/contract/schemas.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'
import { lastOf, settled } from './renderHookOnService.tsx'

beforeEach(() => sessionStorage.clear())
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

interface Session {
  readonly create: ReturnType<typeof useCreateCategory>['trigger']
  readonly clear: () => void
  readonly client: PetstoreClient
}

/** An app with a list, a composer and a scope for each user. */
function renderApp(service = createPetstoreService({ categories: [{ name: 'Dog' }] })) {
  const cache = new Map<string, object>()
  const session = lastOf<Session>()
  const options = { ...optionsFor(service), quickstartBaseUrl: service.quickstartBaseUrl, retry: { maxWait: 60_000 } }
  function Page() {
    const { trigger: create } = useCreateCategory()
    session.set({ create, clear: useClear(), client: usePetstoreClient() })
    return (
      <>
        <CategoryList />
        <MessageComposer draftKey="compose" />
      </>
    )
  }
  function App() {
    const [user, setUser] = useState<string | undefined>('alice')
    return (
      <SWRConfig value={{ provider: () => cache }}>
        {['alice', 'bob', undefined].map((name) => (
          <button key={`${name}`} type="button" onClick={() => setUser(name)}>
            {name ?? 'nobody'}
          </button>
        ))}
        {user && (
          <PetstoreProvider {...options} scope={user}>
            <Page />
          </PetstoreProvider>
        )}
      </SWRConfig>
    )
  }
  render(<App />)
  return { service, cache, ...session }
}

const draft = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const write = (text: string) => fireEvent.change(draft(), { target: { value: text } })
const signIn = (user: string) => fireEvent.click(screen.getByRole('button', { name: user }))
const storedText = (cache: ReadonlyMap<string, object>) =>
  JSON.stringify([...cache]) + JSON.stringify(Object.entries(sessionStorage))

test('a draft is not shown in another scope, and is still there when its user comes back', async () => {
  renderApp()
  await screen.findByText('Dog')
  write('to my lawyer')
  signIn('bob')
  expect(draft().value).toBe('')
  write('to my dentist')
  signIn('alice')
  expect(draft().value).toBe('to my lawyer')
})

test('clear empties the cache, the list and the drafts, cancels what waits, and sends nothing', async () => {
  const { service, cache, get } = renderApp()
  await screen.findByText('Dog')
  write('to my lawyer')
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  const waiting = get().create({ name: 'Cat' })
  await waitFor(() => expect(service.requests).toHaveLength(2))
  act(() => get().clear())
  await expect(waiting).resolves.toMatchObject({ error: { name: 'AbortError' } })
  await settled()
  expect(screen.queryByText('Dog')).toBeNull()
  expect(draft().value).toBe('')
  expect(storedText(cache)).not.toMatch(/Dog|lawyer/)
  expect(service.requests).toHaveLength(2)
})

test('a list whose request waits when its user signs out is not requested again', async () => {
  const service = createPetstoreService()
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  const { get } = renderApp(service)
  const waiting = () => get().client.rateLimit.inspect().waiting
  await waitFor(() => expect(waiting()).toHaveLength(1))
  act(() => get().clear())
  await settled()
  expect(waiting()).toEqual([])
})

test('a message under way when its user signs out is not stored again', async () => {
  const { cache, service, get } = renderApp()
  await screen.findByText('Dog')
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  write('to my lawyer')
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(service.requests).toHaveLength(2))
  signIn('nobody')
  signIn('alice')
  act(() => get().clear())
  await settled()
  expect(storedText(cache)).not.toContain('lawyer')
})

test('after a clear, hooks show none of the earlier data: kept, given, prefetched or of a mutation', async () => {
  const search = defineOperation({ name: 'search', path: '/s', input: anything, output: anything })
  const service = createPetstoreService({
    operations: [{ operation: search, handle: ({ query }) => ({ body: `of ${query.get('user')}` }) }],
  })
  const prefetched = await prefetchQuery(createPetstoreClient({ ...optionsFor(service), scope: 'all' }), search, {})
  const shown: unknown[] = [] // three entries for each render
  function Page() {
    const [user, setUser] = useState('alice')
    const kept = usePetstoreQuery(search, { user }, { keepPreviousData: true })
    const given = usePetstoreQuery(search, { given: true }, { fallbackData: 'given' })
    const prepared = usePetstoreQuery(search, {})
    const { data, variables, trigger } = useCreateCategory()
    shown.push(
      [kept, given, prepared].map((query) => query.data),
      data,
      variables,
    )
    const clear = useClear()
    return (
      <>
        <button onClick={() => trigger({ name: 'Dog' })}>create</button>
        <button onClick={clear}>clear</button>
        <button onClick={() => setUser('bob')}>bob</button>
      </>
    )
  }
  render(
    <PetstoreProvider {...optionsFor(service)} scope="all" prefetched={prefetched}>
      <Page />
    </PetstoreProvider>,
  )
  fireEvent.click(screen.getByText('create'))
  await waitFor(() => expect(shown.slice(-3)).toMatchObject([['of alice', 'of null', 'of null'], { name: 'Dog' }, {}]))
  fireEvent.click(screen.getByText('clear'))
  await settled()
  expect(shown.slice(-3)).toEqual([[undefined, undefined, undefined], undefined, undefined])
  fireEvent.click(screen.getByText('bob'))
  await waitFor(() => expect(shown.at(-3)).toEqual(['of bob', undefined, undefined]))
  expect(shown.slice(-6)).not.toContainEqual(['of alice', undefined, undefined])
})
