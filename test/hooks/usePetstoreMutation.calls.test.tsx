import { act, cleanup, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { operations, usePetstoreMutation, type UsePetstoreMutationOptions } from '../../src/index.ts'
import type { OnWait } from '../../src/rate-limit/pendingRequest.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { renderHookOnService } from './renderHookOnService.tsx'

afterEach(cleanup)

type Options = UsePetstoreMutationOptions<{ readonly name: string }, { readonly name: string }>

const renderCreate = (options: Options = {}) =>
  renderHookOnService(() => usePetstoreMutation(operations.createCategory, options), {
    service: createPetstoreService({ categories: [] }),
    retry: { attempts: 2, maxWait: 60_000 },
  })

const isAbort = expect.objectContaining({ name: 'AbortError' }) as unknown

describe('calls', () => {
  test('lists every call in progress, each with its own cancel', async () => {
    const { current, hold, learnQuota, service } = renderCreate()
    await learnQuota()
    expect(current().calls).toEqual([])
    const held = [hold('POST'), hold('POST')]
    const dog = current().trigger({ name: 'Dog' })
    const cat = current().trigger({ name: 'Cat' })
    await Promise.all(held.map(({ isHeld }) => isHeld))
    await waitFor(() => expect(current().calls).toHaveLength(2))
    expect(current().calls).toMatchObject([
      { variables: { name: 'Dog' }, status: 'sending' },
      { variables: { name: 'Cat' }, status: 'sending' },
    ])
    const [first, second] = current().calls
    expect(first?.id).not.toBe(second?.id)

    act(() => first?.cancel())
    await expect(dog).rejects.toEqual(isAbort)
    await waitFor(() => expect(current().calls.map(({ variables }) => variables.name)).toEqual(['Cat']))
    held[1]?.letGo()
    await expect(cat).resolves.toMatchObject({ name: 'Cat' })
    await waitFor(() => expect(current().calls).toEqual([]))
    expect(service.categories().map(({ name }) => name)).toContain('Cat')
  })

  test('says which call waits, until when and why', async () => {
    const { current, service } = renderCreate()
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const dog = current().trigger({ name: 'Dog' })
    await waitFor(() => expect(current().calls[0]?.status).toBe('waiting'))
    const { retryAt, waitReason, isRetryAtEarliest } = current()
    expect(current().calls).toMatchObject([{ retryAt, waitReason, isRetryAtEarliest }])
    expect(waitReason).toBe('rate-limit')
    act(() => current().cancel())
    await expect(dog).rejects.toEqual(isAbort)
    expect(current().calls).toEqual([])
  })

  test('a component that does not read it does not render for it', async () => {
    const rendered = vi.fn<() => void>()
    const { current, learnQuota } = renderHookOnService(
      () => {
        rendered()
        return usePetstoreMutation(operations.createCategory)
      },
      { service: createPetstoreService({ categories: [] }) },
    )
    await learnQuota()
    const before = rendered.mock.calls.length
    await act(async () => void (await current().trigger({ name: 'Dog' })))
    // StrictMode renders twice: sending, success.
    expect(rendered.mock.calls.length - before).toBeLessThanOrEqual(4)
  })
})

describe('the options of a call', () => {
  test('signal cancels this call only', async () => {
    const { current, hold, learnQuota } = renderCreate()
    await learnQuota()
    const held = [hold('POST'), hold('POST')]
    const controller = new AbortController()
    const dog = current().trigger({ name: 'Dog' }, { signal: controller.signal })
    const cat = current().trigger({ name: 'Cat' })
    await Promise.all(held.map(({ isHeld }) => isHeld))
    controller.abort()
    await expect(dog).rejects.toEqual(isAbort)
    held[1]?.letGo()
    await expect(cat).resolves.toMatchObject({ name: 'Cat' })
  })

  test('a signal that is aborted already sends nothing', async () => {
    const { current, service } = renderCreate()
    await expect(current().trigger({ name: 'Dog' }, { signal: AbortSignal.abort() })).rejects.toEqual(isAbort)
    expect(service.requests).toEqual([])
  })

  test('onWait is called with the end of the wait and its reason', async () => {
    const { current, service } = renderCreate()
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const onWait = vi.fn<OnWait>()
    const dog = current().trigger({ name: 'Dog' }, { onWait })
    await waitFor(() => expect(current().status).toBe('waiting'))
    const { retryAt, waitReason, isRetryAtEarliest } = current()
    expect(onWait.mock.lastCall).toEqual([retryAt, waitReason, isRetryAtEarliest])
    act(() => current().cancel())
    await expect(dog).rejects.toEqual(isAbort)
  })
})

describe('triggerResult', () => {
  test('resolves with the data', async () => {
    const { current } = renderCreate()
    await expect(current().triggerResult({ name: 'Dog' })).resolves.toMatchObject({
      data: { name: 'Dog' },
      error: undefined,
    })
  })

  test('resolves with the error, whatever `throwOnError` says', async () => {
    const onError = vi.fn<(error: unknown) => void>()
    const { current, service } = renderCreate({ onError, throwOnError: true })
    service.failNext({ status: 500 })
    const { data, error } = await current().triggerResult({ name: 'Dog' })
    expect(data).toBeUndefined()
    expect(error?.kind).toBe('server')
    expect(onError).toHaveBeenCalledWith(error, { name: 'Dog' })
    await waitFor(() => expect(current().error).toBe(error))
  })

  test('has neither after a cancellation', async () => {
    const { current } = renderCreate()
    const outcome = current().triggerResult({ name: 'Dog' }, { signal: AbortSignal.abort() })
    await expect(outcome).resolves.toEqual({ data: undefined, error: undefined })
  })

  test('rejects for a mistake in the code', async () => {
    const { current } = renderHookOnService(() => usePetstoreMutation(operations.sendMessage))
    // Without a quickstart address.
    await expect(current().triggerResult({ message: 'Hello' })).rejects.toThrow('quickstartBaseUrl')
  })
})
