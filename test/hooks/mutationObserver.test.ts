import { describe, expect, test, vi } from 'vitest'
import { InputValidationError } from '../../src/client.ts'
import type { CallOptions } from '../../src/client.ts'
import type { OnWait } from '../../src/rate-limit/Wait.ts'
import { createMutationObserver } from '../../src/hooks/mutationObserver.ts'

const failure = new InputValidationError({ operation: 'test', attempts: 0 }, [{ message: 'no good' }])

/** A call that a test ends. */
function openCall() {
  let finish: (data: string) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  let options: CallOptions = {}
  const perform = (given: CallOptions) => {
    options = given
    return new Promise<string>((resolve, reject) => {
      finish = resolve
      fail = reject
      given.signal?.addEventListener('abort', () => reject(given.signal?.reason))
    })
  }
  return {
    perform,
    finish: (data: string) => finish(data),
    fail: (error: unknown) => fail(error),
    wait: (...wait: Parameters<OnWait>) => options.onWait?.(...wait),
    isAborted: () => options.signal?.aborted,
  }
}

function observed() {
  const observer = createMutationObserver<string, string>()
  const seen: unknown[] = []
  observer.state.subscribe(() => {
    const state = observer.state.getSnapshot()
    const { status, retryAt, waitReason } = state
    const word = state.isRetryAtEarliest ? 'from' : 'until'
    seen.push(status === 'waiting' ? `${status} ${word} ${retryAt}: ${waitReason}` : status)
  })
  return { observer, seen }
}

/** No wait, and what else the state has no value for. */
const none = { isRetryAtEarliest: false }

test('idle, sending, waiting, sending, success', async () => {
  const { observer, seen } = observed()
  const call = openCall()
  expect(observer.state.getSnapshot()).toEqual({ ...none, status: 'idle' })
  const result = observer.trigger('input', call.perform)
  expect(observer.state.getSnapshot()).toEqual({ ...none, status: 'sending', variables: 'input' })
  call.wait(500)
  expect(observer.state.getSnapshot()).toEqual({
    status: 'waiting',
    variables: 'input',
    retryAt: 500,
    waitReason: 'rate-limit',
    isRetryAtEarliest: false,
  })
  call.wait(900, 'connection', true)
  call.wait(undefined)
  call.finish('output')
  await expect(result).resolves.toBe('output')
  expect(observer.state.getSnapshot()).toEqual({ ...none, status: 'success', variables: 'input', data: 'output' })
  expect(seen).toEqual([
    'sending',
    'waiting until 500: rate-limit',
    'waiting from 900: connection',
    'sending',
    'success',
  ])
})

test('an error state contains the input', async () => {
  const { observer } = observed()
  const call = openCall()
  const result = observer.trigger('input', call.perform)
  call.fail(failure)
  await expect(result).rejects.toBe(failure)
  expect(observer.state.getSnapshot()).toEqual({ ...none, status: 'error', variables: 'input', error: failure })
})

test('an error that is no PetstoreError rejects, and the state returns to idle', async () => {
  const { observer } = observed()
  const mistake = new TypeError('a mistake')
  await expect(observer.trigger('input', () => Promise.reject(mistake))).rejects.toBe(mistake)
  expect(observer.state.getSnapshot().status).toBe('idle')
})

test('the snapshot stays the same object until something changes', () => {
  const { observer } = observed()
  const before = observer.state.getSnapshot()
  expect(observer.state.getSnapshot()).toBe(before)
  void observer.trigger('input', openCall().perform)
  const during = observer.state.getSnapshot()
  expect(during).not.toBe(before)
  expect(observer.state.getSnapshot()).toBe(during)
})

describe('the state is that of the latest trigger, and each call settles with its own outcome', () => {
  test('when the first call fails after the second succeeded', async () => {
    const { observer, seen } = observed()
    const [first, second] = [openCall(), openCall()]
    const results = [observer.trigger('A', first.perform), observer.trigger('B', second.perform)]
    second.finish('b')
    await results[1]
    first.wait(500)
    first.wait(undefined)
    first.fail(failure)
    await expect(results[0]).rejects.toBe(failure)
    expect(observer.state.getSnapshot()).toEqual({ ...none, status: 'success', variables: 'B', data: 'b' })
    expect(seen).toEqual(['sending', 'sending', 'success'])
  })

  test('when the first call succeeds during the second', async () => {
    const { observer } = observed()
    const [first, second] = [openCall(), openCall()]
    const results = [observer.trigger('A', first.perform), observer.trigger('B', second.perform)]
    first.finish('a')
    await expect(results[0]).resolves.toBe('a')
    expect(observer.state.getSnapshot()).toEqual({ ...none, status: 'sending', variables: 'B' })
    second.fail(failure)
    await expect(results[1]).rejects.toBe(failure)
    expect(observer.state.getSnapshot()).toMatchObject({ status: 'error', variables: 'B' })
  })
})

describe('cancel', () => {
  test('aborts all calls in progress and returns to idle', async () => {
    const { observer } = observed()
    const calls = [openCall(), openCall()]
    const results = calls.map(({ perform }) => observer.trigger('input', perform))
    observer.cancel()
    expect(calls.map((call) => call.isAborted())).toEqual([true, true])
    for (const result of results) await expect(result).rejects.toMatchObject({ name: 'AbortError' })
    expect(observer.state.getSnapshot()).toEqual({ ...none, status: 'idle' })
  })

  test('does not affect calls that have ended', async () => {
    const { observer } = observed()
    const call = openCall()
    const result = observer.trigger('input', call.perform)
    call.finish('output')
    await result
    observer.cancel()
    expect(call.isAborted()).toBe(false)
    expect(observer.state.getSnapshot().status).toBe('success')
  })

  test('does not affect a call that is triggered right after it', async () => {
    const { observer, seen } = observed()
    const [first, second] = [openCall(), openCall()]
    const canceled = observer.trigger('A', first.perform)
    observer.cancel()
    const result = observer.trigger('B', second.perform)
    await expect(canceled).rejects.toMatchObject({ name: 'AbortError' })
    expect(observer.state.getSnapshot()).toEqual({ ...none, status: 'sending', variables: 'B' })
    second.finish('b')
    await expect(result).resolves.toBe('b')
    expect(seen).toEqual(['sending', 'sending', 'success'])
  })

  test('a late onWait does not change the state', async () => {
    const { observer } = observed()
    const call = openCall()
    const result = observer.trigger('input', call.perform)
    observer.cancel()
    await expect(result).rejects.toMatchObject({ name: 'AbortError' })
    call.wait(500)
    expect(observer.state.getSnapshot().status).toBe('idle')
    call.wait(undefined)
    expect(observer.state.getSnapshot().status).toBe('idle')
  })
})

describe('reset', () => {
  test('removes an outcome', async () => {
    const { observer } = observed()
    const call = openCall()
    const result = observer.trigger('input', call.perform)
    call.finish('output')
    await result
    observer.reset()
    expect(observer.state.getSnapshot()).toEqual({ ...none, status: 'idle' })
  })

  test('lets a call in progress continue without showing it', async () => {
    const { observer, seen } = observed()
    const call = openCall()
    const result = observer.trigger('input', call.perform)
    observer.reset()
    expect(call.isAborted()).toBe(false)
    call.wait(500)
    call.finish('output')
    await expect(result).resolves.toBe('output')
    expect(seen).toEqual(['sending', 'idle'])
  })

  test('cancel still aborts the calls from before a reset', async () => {
    const { observer, seen } = observed()
    const result = observer.trigger('input', openCall().perform)
    observer.reset()
    observer.cancel()
    await expect(result).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen).toEqual(['sending', 'idle'])
  })
})

test('a removed listener is not called again, even if it is removed during a notification', () => {
  const observer = createMutationObserver<string, string>()
  const second = vi.fn<() => void>()
  const leaveFirst = observer.state.subscribe(() => leaveFirst())
  observer.state.subscribe(second)
  void observer.trigger('input', openCall().perform)
  void observer.trigger('input', openCall().perform)
  expect(second).toHaveBeenCalledTimes(2)
})
