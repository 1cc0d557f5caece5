import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import * as React from 'react'
import { StrictMode } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  type Category,
  createPetstoreClient,
  type NewCategory,
  operations,
  type PetstoreError,
  PetstoreProvider,
  usePetstoreMutation,
  type UsePetstoreMutationOptions,
  type UsePetstoreMutationResult,
} from '../../src/index.ts'
import { createPetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { newAddress, optionsFor } from '../renderOnService.tsx'
import { holdResponses } from './holdResponses.ts'
import { lastOf, renderHookOnService, settled } from './renderHookOnService.tsx'

const empty: PetstoreServiceOptions = { categories: [] }
type Options = UsePetstoreMutationOptions<{ readonly name: string }, { readonly name: string }>

const logged = vi.spyOn(console, 'error')
afterEach(() => {
  cleanup()
  if (logged.mock.calls.length > 0) throw new Error('React has warned.')
})

const renderCreate = (options: Options = {}, surroundings: Parameters<typeof renderHookOnService>[1] = {}) =>
  renderHookOnService((newer: Options) => usePetstoreMutation(operations.createCategory, { ...options, ...newer }), {
    service: createPetstoreService(empty),
    ...surroundings,
    initialProps: {},
  })

/** A 429 that starts a cool-down of 30 s. */
const refusal = { status: 429, headers: { 'Retry-After': '30' } }

describe('the state', () => {
  test('is idle, then sending, then success', async () => {
    const { current, hold } = renderCreate()
    expect(current()).toMatchObject({ status: 'idle', isMutating: false })
    const response = hold('POST')
    const result = current().trigger({ name: 'Dog' })
    await response.arrived
    await waitFor(() => expect(current().status).toBe('sending'))
    expect(current()).toMatchObject({ isMutating: true, variables: { name: 'Dog' } })
    expect(current()).toMatchObject({ data: undefined, error: undefined, wait: undefined })
    response.letGo()
    const { data: created } = await result
    expect(created).toMatchObject({ id: '1', name: 'Dog' })
    await waitFor(() => expect(current().status).toBe('success'))
    expect(current()).toMatchObject({ isMutating: false, data: created, error: undefined, variables: { name: 'Dog' } })
  })

  test('has the error that trigger resolves with, until the next trigger', async () => {
    const { current, service, hold } = renderCreate()
    service.failNext({ status: 500 })
    const { error } = await current().trigger({ name: 'Dog' })
    expect(error).toMatchObject({ kind: 'server', outcome: 'unknown' })
    await waitFor(() => expect(current().status).toBe('error'))
    expect(current().error).toBe(error)
    expect(current()).toMatchObject({ isMutating: false, data: undefined, variables: { name: 'Dog' } })

    const response = hold('POST')
    const result = current().trigger({ name: 'Cat' })
    await waitFor(() => expect(current()).toMatchObject({ status: 'sending', error: undefined }))
    response.letGo()
    await result
  })

  test('is waiting while the rate limit delays the request, then sending when it leaves', async () => {
    const { current, service, client, hold } = renderCreate({}, { retry: { maxWait: 60_000 } })
    service.failNext(refusal)
    const before = Date.now()
    const result = current().trigger({ name: 'Dog' })
    await waitFor(() => expect(current()).toMatchObject({ status: 'waiting', isMutating: true }))
    expect(current().wait?.until).toBeGreaterThanOrEqual(before + 30_000)
    expect(current().variables).toEqual({ name: 'Dog' })
    expect(service.requests).toHaveLength(1)

    const response = hold('POST')
    await client().rateLimit.reset()
    await response.arrived
    await waitFor(() => expect(current()).toMatchObject({ status: 'sending', isMutating: true, wait: undefined }))
    response.letGo()
    await result
    await waitFor(() => expect(current()).toMatchObject({ status: 'success', wait: undefined }))
  })

  test('is idle after a reset; a call in progress continues, but its outcome is not shown', async () => {
    const { current, service, hold } = renderCreate()
    const response = hold('POST')
    const result = current().trigger({ name: 'Dog' })
    await response.arrived
    current().reset()
    await waitFor(() => expect(current()).toMatchObject({ status: 'idle', isMutating: false, variables: undefined }))
    response.letGo()
    await expect(result).resolves.toMatchObject({ data: { name: 'Dog' } })
    await settled()
    expect(current()).toMatchObject({ status: 'idle', data: undefined })
    expect(service.categories()).toHaveLength(1)
  })
})

describe('trigger', () => {
  // SWR Mutation resolves the earlier of two calls with `undefined`.
  test('resolves with its own failure while the hook shows the success of a later call', async () => {
    const { current, service, hold, learnQuota } = renderCreate()
    await learnQuota()
    service.failNext({ status: 500 })
    const response = hold('POST')
    const slow = current().trigger({ name: 'A' })
    await response.arrived
    const { data: quick } = await current().trigger({ name: 'B' })
    response.letGo()
    await expect(slow).resolves.toMatchObject({ error: { kind: 'server' } })
    await settled()
    expect(current()).toMatchObject({ status: 'success', data: quick, error: undefined, variables: { name: 'B' } })
  })

  test('trigger, cancel and reset stay the same functions as long as the client stays the same', async () => {
    const { current, rerender } = renderCreate()
    const { trigger, cancel, reset } = current()
    rerender({ onSuccess: () => {} })
    await trigger({ name: 'Dog' })
    await waitFor(() => expect(current().status).toBe('success'))
    rerender({ onSuccess: () => {} })
    expect(current().trigger).toBe(trigger)
    expect(current().cancel).toBe(cancel)
    expect(current().reset).toBe(reset)
  })
})

describe('cancel', () => {
  test('a call that waits at the gate is never sent', async () => {
    const { current, service, client } = renderCreate({}, { retry: { maxWait: 60_000 } })
    service.failNext(refusal)
    const refused = current().trigger({ name: 'A' })
    await waitFor(() => expect(current().status).toBe('waiting'))
    const waiting = current().trigger({ name: 'B' })
    await waitFor(() => expect(current()).toMatchObject({ status: 'waiting', variables: { name: 'B' } }))
    current().cancel()
    await expect(refused).resolves.toMatchObject({ error: { name: 'AbortError' } })
    await expect(waiting).resolves.toMatchObject({ error: { name: 'AbortError' } })
    await waitFor(() =>
      expect(current()).toMatchObject({ status: 'idle', isMutating: false, wait: undefined, variables: undefined }),
    )
    await client().rateLimit.reset()
    await settled()
    expect(service.requests.map(({ status }) => status)).toEqual([429])
    expect(current().status).toBe('idle')
  })

  test('a call in flight ends at once, and its request is aborted when the response head has arrived', async () => {
    const onError = vi.fn<(error: PetstoreError) => void>()
    const { current, hold } = renderCreate({ onError })
    const response = hold('POST')
    const result = current().trigger({ name: 'Dog' })
    await response.arrived
    current().cancel()
    await expect(result).resolves.toMatchObject({ error: { name: 'AbortError' } })
    expect(response.isAborted()).toBe(false)
    response.letGo()
    await waitFor(() => expect(response.isAborted()).toBe(true))
    await waitFor(() => expect(current()).toMatchObject({ status: 'idle', error: undefined }))
    expect(onError).not.toHaveBeenCalled()
  })
})

describe('onSuccess and onError', () => {
  test('are called before trigger resolves, with the outcome and the input', async () => {
    const calls: unknown[] = []
    const { current, service } = renderCreate({
      onSuccess: (data, input) => void calls.push(['success', data.name, input]),
      onError: (error, input) => void calls.push(['error', error.kind, input]),
    })
    await current()
      .trigger({ name: 'Dog' })
      .then(() => calls.push('resolved'))
    service.failNext({ status: 500 })
    await current()
      .trigger({ name: 'Cat' })
      .then(() => calls.push('failed'))
    expect(calls).toEqual([
      ['success', 'Dog', { name: 'Dog' }],
      'resolved',
      ['error', 'server', { name: 'Cat' }],
      'failed',
    ])
  })

  test('those of the latest render are called, also by a trigger of an earlier render', async () => {
    const calls: string[] = []
    const { current, rerender, hold } = renderCreate({ onSuccess: () => void calls.push('first') })
    const { trigger } = current()
    const response = hold('POST')
    const result = trigger({ name: 'Dog' })
    await response.arrived
    rerender({ onSuccess: () => void calls.push('second'), onError: () => void calls.push('failed') })
    response.letGo()
    await result
    expect(calls).toEqual(['second'])
  })

  test('are called after the component has unmounted, without a warning', async () => {
    const calls: string[] = []
    const client = createPetstoreClient(optionsFor(createPetstoreService(empty)))
    const mutations: ReturnType<typeof useCreate>[] = []
    const useCreate = () =>
      usePetstoreMutation(operations.createCategory, {
        onSuccess: ({ name }) => void calls.push(name),
        onError: ({ kind }) => void calls.push(kind),
      })
    function Creator() {
      mutations.push(useCreate())
      return null
    }
    const app = (shown: boolean) => (
      <StrictMode>
        <PetstoreProvider client={client}>{shown && <Creator />}</PetstoreProvider>
      </StrictMode>
    )
    const { rerender } = render(app(true))
    const trigger = mutations.at(-1)?.trigger
    const before = trigger?.({ name: 'Dog' })
    rerender(app(false))
    await before
    const untyped: { name: string } = JSON.parse('{}')
    await expect(trigger?.(untyped)).resolves.toMatchObject({ error: { kind: 'input-validation' } })
    expect(calls).toEqual(['Dog', 'input-validation'])
  })
})

const abortResult = { data: undefined, error: expect.objectContaining({ name: 'AbortError' }) as unknown }

describe('calls', () => {
  test('lists every call in progress, each with its own cancel', async () => {
    const { current, hold, learnQuota, service } = renderCreate({}, { retry: { attempts: 2, maxWait: 60_000 } })
    await learnQuota()
    expect(current().calls).toEqual([])
    const held = [hold('POST'), hold('POST')]
    const dog = current().trigger({ name: 'Dog' })
    const cat = current().trigger({ name: 'Cat' })
    await Promise.all(held.map(({ arrived }) => arrived))
    await waitFor(() => expect(current().calls).toHaveLength(2))
    expect(current().calls).toMatchObject([
      { variables: { name: 'Dog' }, status: 'sending' },
      { variables: { name: 'Cat' }, status: 'sending' },
    ])
    const [first, second] = current().calls
    expect(first?.id).not.toBe(second?.id)

    act(() => first?.cancel())
    await expect(dog).resolves.toEqual(abortResult)
    await waitFor(() => expect(current().calls.map(({ variables }) => variables.name)).toEqual(['Cat']))
    held[1]?.letGo()
    await expect(cat).resolves.toMatchObject({ data: { name: 'Cat' } })
    await waitFor(() => expect(current().calls).toEqual([]))
    expect(service.categories().map(({ name }) => name)).toContain('Cat')
  })
})

describe('the options of a call', () => {
  test('signal cancels this call only', async () => {
    const { current, hold, learnQuota } = renderCreate({}, { retry: { attempts: 2, maxWait: 60_000 } })
    await learnQuota()
    const held = [hold('POST'), hold('POST')]
    const controller = new AbortController()
    const dog = current().trigger({ name: 'Dog' }, { signal: controller.signal })
    const cat = current().trigger({ name: 'Cat' })
    await Promise.all(held.map(({ arrived }) => arrived))
    controller.abort()
    await expect(dog).resolves.toEqual(abortResult)
    held[1]?.letGo()
    await expect(cat).resolves.toMatchObject({ data: { name: 'Cat' } })
  })

  test('maxWait: Infinity lets a batch of 150 arrive as a whole on a plan of 60 per minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    const service = createPetstoreService({ categories: [], plan: 'free' })
    const { current } = renderHookOnService(() => usePetstoreMutation(operations.createCategory), { service })
    const batch = Array.from({ length: 150 }, (_, index) =>
      current().trigger({ name: `Rabbit ${index}` }, { maxWait: Infinity, priority: 'background' }),
    )
    const results = Promise.all(batch)
    await act(() => vi.advanceTimersByTimeAsync(5 * 60_000))
    expect((await results).filter(({ error }) => error)).toEqual([])
    expect(service.categories()).toHaveLength(150)
    vi.useRealTimers()
  })
})

test.each(['apiKey', 'baseUrl'] as const)('with a new %s, a mutation is idle in its first render', async (changed) => {
  const service = createPetstoreService({ keys: ['first', 'second'] })
  const last = lastOf<UsePetstoreMutationResult<NewCategory, Category>>()
  function Creator() {
    const mutation = usePetstoreMutation(operations.createCategory)
    last.set(mutation)
    return (
      <button type="button" onClick={() => void mutation.trigger({ name: 'Dog' })}>
        {mutation.status} {mutation.data?.name}
      </button>
    )
  }
  const app = (props: { readonly apiKey: string; readonly baseUrl: string }) => (
    <StrictMode>
      <PetstoreProvider {...props} fetch={service.fetch}>
        <Creator />
      </PetstoreProvider>
    </StrictMode>
  )
  const old = { apiKey: 'first', baseUrl: newAddress() }
  const { rerender } = render(app(old))
  const { trigger } = last.get()
  await userEvent.click(screen.getByRole('button', { name: 'idle' }))
  await screen.findByText('success Dog')
  rerender(app({ ...old, [changed]: changed === 'apiKey' ? 'second' : newAddress() }))
  expect(screen.getByRole('button').textContent).toBe('idle ')
  expect(last.get().trigger).not.toBe(trigger)
  await userEvent.click(screen.getByRole('button', { name: 'idle' }))
  await screen.findByText('success Dog')
})

// React 18 has no Activity.
describe.skipIf(!('Activity' in React))('in a part of the page that is hidden and shown again', () => {
  const last = lastOf<UsePetstoreMutationResult<NewCategory, Category>>()
  function Creator() {
    const mutation = usePetstoreMutation(operations.createCategory)
    last.set(mutation)
    return <p>{mutation.status}</p>
  }

  test('a call continues, and its outcome is shown', async () => {
    const { hold, fetch } = holdResponses(createPetstoreService(empty))
    const client = createPetstoreClient(optionsFor({ fetch }))
    const app = (mode: 'visible' | 'hidden') => (
      <StrictMode>
        <PetstoreProvider client={client}>
          <React.Activity mode={mode}>
            <Creator />
          </React.Activity>
        </PetstoreProvider>
      </StrictMode>
    )
    const { rerender } = render(app('visible'))
    const response = hold('POST')
    const result = last.get().trigger({ name: 'Dog' })
    await response.arrived
    rerender(app('hidden'))
    response.letGo()
    await result
    rerender(app('visible'))
    expect(await screen.findByText('success')).toBeDefined()
  })
})
