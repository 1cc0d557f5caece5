import { act, cleanup, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { operations, usePetstoreMutation, type UsePetstoreMutationOptions } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { renderHookOnService, settled } from './renderHookOnService.tsx'

afterEach(cleanup)

type Options = UsePetstoreMutationOptions<{ readonly name: string }, { readonly name: string }>

const renderCreate = (options: Options = {}) =>
  renderHookOnService(() => usePetstoreMutation(operations.createCategory, options), {
    service: createPetstoreService({ categories: [] }),
    retry: { attempts: 2, maxWait: 60_000 },
  })

const isAbort = { data: undefined, error: expect.objectContaining({ name: 'AbortError' }) as unknown }

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
    await expect(dog).resolves.toEqual(isAbort)
    await waitFor(() => expect(current().calls.map(({ variables }) => variables.name)).toEqual(['Cat']))
    held[1]?.letGo()
    await expect(cat).resolves.toMatchObject({ data: { name: 'Cat' } })
    await waitFor(() => expect(current().calls).toEqual([]))
    expect(service.categories().map(({ name }) => name)).toContain('Cat')
  })

  test('says which call waits, until when and why', async () => {
    const { current, service } = renderCreate()
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const dog = current().trigger({ name: 'Dog' })
    await waitFor(() => expect(current().calls[0]?.status).toBe('waiting'))
    const { wait } = current()
    expect(current().calls).toMatchObject([{ wait }])
    expect(wait?.reason).toBe('rate-limit')
    act(() => current().cancel())
    await expect(dog).resolves.toEqual(isAbort)
    expect(current().calls).toEqual([])
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
    await expect(dog).resolves.toEqual(isAbort)
    held[1]?.letGo()
    await expect(cat).resolves.toMatchObject({ data: { name: 'Cat' } })
  })

  test('a signal that is aborted already sends nothing', async () => {
    const { current, service } = renderCreate()
    await expect(current().trigger({ name: 'Dog' }, { signal: AbortSignal.abort() })).resolves.toEqual(isAbort)
    expect(service.requests).toEqual([])
  })

  test('maxWait is that of the call: a batch of 150 on the smallest plan arrives as a whole', async () => {
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

  test('maxWait 0 does not wait', async () => {
    const { current, service } = renderCreate()
    service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
    const outcome = current().trigger({ name: 'Dog' }, { maxWait: 0 })
    await expect(outcome).resolves.toMatchObject({ error: { kind: 'rate-limit' } })
  })
})

describe('the result', () => {
  test('of a call that nobody awaits never rejects', async () => {
    const rejected = vi.fn<(event: unknown) => void>()
    process.on('unhandledRejection', rejected)
    const { current, service } = renderCreate()
    service.failNext({ status: 500 })
    void current().trigger({ name: 'Dog' })
    await waitFor(() => expect(current().status).toBe('error'))
    await settled()
    process.off('unhandledRejection', rejected)
    expect(rejected).not.toHaveBeenCalled()
  })
})
