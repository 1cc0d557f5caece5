import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import * as React from 'react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import {
  type Category,
  createPetstoreClient,
  defineOperation,
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
const pause = defineOperation({ name: 'pause', method: 'POST', path: '/pause', output: z.object({ ok: z.boolean() }) })
type Options = UsePetstoreMutationOptions<{ readonly name: string }, { readonly name: string }>

/** The errors that the app's callbacks threw. */
const reported = vi.fn<(error: unknown) => void>()
const logged = vi.spyOn(console, 'error')
beforeEach(() => vi.stubGlobal('reportError', reported))
afterEach(() => {
  cleanup()
  if (logged.mock.calls.length > 0) throw new Error('React has warned.')
  vi.unstubAllGlobals()
  reported.mockReset()
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
  test('idle, sending, success', async () => {
    const { current, hold } = renderCreate()
    expect(current()).toMatchObject({ status: 'idle', isMutating: false })
    const response = hold('POST')
    const result = current().trigger({ name: 'Dog' })
    await response.isHeld
    await waitFor(() => expect(current().status).toBe('sending'))
    expect(current()).toMatchObject({ isMutating: true, variables: { name: 'Dog' } })
    expect(current()).toMatchObject({ data: undefined, error: undefined, wait: undefined })
    response.letGo()
    const { data: created } = await result
    expect(created).toMatchObject({ id: '1', name: 'Dog' })
    await waitFor(() => expect(current().status).toBe('success'))
    expect(current()).toMatchObject({ isMutating: false, data: created, error: undefined, variables: { name: 'Dog' } })
  })

  test('error, with the same error that trigger resolves with; the next trigger removes it', async () => {
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

  test('waiting while the rate limit delays the request, then sending when it leaves', async () => {
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
    await response.isHeld
    await waitFor(() => expect(current()).toMatchObject({ status: 'sending', isMutating: true, wait: undefined }))
    response.letGo()
    await result
    await waitFor(() => expect(current()).toMatchObject({ status: 'success', wait: undefined }))
  })

  test('reset returns to idle; a call in progress continues, but its outcome is not shown', async () => {
    const { current, service, hold } = renderCreate()
    const response = hold('POST')
    const result = current().trigger({ name: 'Dog' })
    await response.isHeld
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
  test('resolves with its own failure even if a later call has succeeded, whose state stays', async () => {
    const { current, service, hold, learnQuota } = renderCreate()
    await learnQuota()
    service.failNext({ status: 500 })
    const response = hold('POST')
    const slow = current().trigger({ name: 'A' })
    await response.isHeld
    const { data: quick } = await current().trigger({ name: 'B' })
    response.letGo()
    await expect(slow).resolves.toMatchObject({ error: { kind: 'server' } })
    await settled()
    expect(current()).toMatchObject({ status: 'success', data: quick, error: undefined, variables: { name: 'B' } })
  })

  test('several calls at once all arrive, each with its own result, also of the same input twice', async () => {
    const { current, service, learnQuota } = renderCreate()
    await learnQuota()
    const names = ['A', 'B', 'C', 'C']
    const created = await Promise.all(names.map((name) => current().trigger({ name })))
    expect(created.map(({ data }) => data?.name)).toEqual(names)
    expect(new Set(created.map(({ data }) => data?.id)).size).toBe(4)
    expect(service.categories()).toHaveLength(4)
    await waitFor(() => expect(current().data).toEqual(created[3]?.data))
  })

  test('trigger, cancel and reset stay the same functions as long as the client stays the same', async () => {
    const { current, rerender } = renderCreate()
    const { trigger, cancel, reset } = current()
    rerender({ onSuccess: () => {} })
    await trigger({ name: 'Dog' })
    await waitFor(() => expect(current().status).toBe('success'))
    rerender({ onSuccess: () => {}, throwOnError: true })
    expect(current()).toMatchObject({ trigger, cancel, reset })
    expect(current().trigger).toBe(trigger)
    expect(current().cancel).toBe(cancel)
    expect(current().reset).toBe(reset)
  })

  test('a lost response is an error whose outcome is unknown, and nothing is sent again', async () => {
    const { current, service } = renderCreate({}, { retry: { attempts: 3 } })
    service.failNext({ connection: 'lost-after' })
    await expect(current().trigger({ name: 'Dog' })).resolves.toMatchObject({
      error: { kind: 'network', outcome: 'unknown' },
    })
    await settled()
    expect(service.requests).toHaveLength(1)
    expect(service.categories()).toHaveLength(1)
    await waitFor(() => expect(current()).toMatchObject({ status: 'error', error: { outcome: 'unknown' } }))
  })

  test('uses the operation of the latest render', async () => {
    const other = defineOperation({ ...pause, name: 'other', path: '/other' })
    const service = createPetstoreService({
      operations: [pause, other].map((operation) => ({ operation, handle: () => ({ body: { ok: true } }) })),
    })
    const { current, rerender } = renderHookOnService(usePetstoreMutation<undefined, { ok: boolean }>, {
      service,
      initialProps: pause,
    })
    const { trigger } = current()
    rerender(other)
    await trigger()
    expect(service.requests.map(({ operation }) => operation)).toEqual(['other'])
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

  test('a call in flight rejects at once, and its request is aborted when its head has arrived', async () => {
    const onError = vi.fn<(error: PetstoreError) => void>()
    const { current, hold } = renderCreate({ onError })
    const response = hold('POST')
    const result = current().trigger({ name: 'Dog' })
    await response.isHeld
    current().cancel()
    await expect(result).resolves.toMatchObject({ error: { name: 'AbortError' } })
    expect(response.isAborted()).toBe(false)
    response.letGo()
    await waitFor(() => expect(response.isAborted()).toBe(true))
    await waitFor(() => expect(current()).toMatchObject({ status: 'idle', error: undefined }))
    expect(onError).not.toHaveBeenCalled()
  })

  test('a call that has ended keeps its state', async () => {
    const { current } = renderCreate()
    await current().trigger({ name: 'Dog' })
    current().cancel()
    await waitFor(() => expect(current().status).toBe('success'))
  })
})

describe('onSuccess and onError', () => {
  test('are called before trigger settles, with the outcome and the input', async () => {
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
    await response.isHeld
    rerender({ onSuccess: () => void calls.push('second'), onError: () => void calls.push('failed') })
    response.letGo()
    await result
    expect(calls).toEqual(['second'])
  })

  test('are called for every call, also for an earlier one and after reset', async () => {
    const calls: string[] = []
    const { current, hold, learnQuota } = renderCreate({ onSuccess: ({ name }) => void calls.push(name) })
    await learnQuota()
    const response = hold('POST')
    const slow = current().trigger({ name: 'A' })
    await response.isHeld
    await current().trigger({ name: 'B' })
    current().reset()
    response.letGo()
    await slow
    expect(calls).toEqual(['B', 'A'])
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

  test('an error in a callback is reported and changes nothing else', async () => {
    const mistake = new Error('a mistake of the app')
    const fail = () => {
      throw mistake
    }
    const { current, service } = renderCreate({ onSuccess: fail, onError: fail })
    await expect(current().trigger({ name: 'Dog' })).resolves.toMatchObject({ data: { name: 'Dog' } })
    await waitFor(() => expect(current().status).toBe('success'))
    expect(reported.mock.calls).toEqual([[mistake]])
    service.failNext({ status: 500 })
    await expect(current().trigger({ name: 'Cat' })).resolves.toMatchObject({ error: { kind: 'server' } })
    await waitFor(() => expect(current().status).toBe('error'))
    expect(reported).toHaveBeenCalledTimes(2)
  })
})

test.each(['apiKey', 'baseUrl'] as const)('a new %s shows idle in its first render', async (changed) => {
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
    await response.isHeld
    rerender(app('hidden'))
    response.letGo()
    await result
    rerender(app('visible'))
    expect(await screen.findByText('success')).toBeDefined()
  })

  test('a call is canceled if its provider is hidden, too, and can be made again', async () => {
    const { hold, fetch } = holdResponses(createPetstoreService(empty))
    const options = optionsFor({ fetch })
    const app = (mode: 'visible' | 'hidden') => (
      <StrictMode>
        <React.Activity mode={mode}>
          <PetstoreProvider {...options}>
            <Creator />
          </PetstoreProvider>
        </React.Activity>
      </StrictMode>
    )
    const { rerender } = render(app('visible'))
    const response = hold('POST')
    const result = last.get().trigger({ name: 'Dog' })
    await response.isHeld
    rerender(app('hidden'))
    await expect(result).resolves.toMatchObject({ error: { name: 'AbortError' } })
    response.letGo()
    rerender(app('visible'))
    await screen.findByText('idle')
    await last.get().trigger({ name: 'Cat' })
    await screen.findByText('success')
  })
})
