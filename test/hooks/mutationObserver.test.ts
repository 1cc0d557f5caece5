import { describe, expect, test, vi } from 'vitest'
import { InputValidationError } from '../../src/client.ts'
import type { CallOptions } from '../../src/client.ts'
import { createMutationObserver } from '../../src/hooks/mutationObserver.ts'

const failure = new InputValidationError({ operation: 'test', attempts: 0 }, [{ message: 'no good' }])

/** A call that ends when it is told to. */
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
    wait: (until: number | undefined) => options.onWait?.(until),
    isAborted: () => options.signal?.aborted,
  }
}

function observed() {
  const observer = createMutationObserver<string, string>()
  const seen: unknown[] = []
  observer.subscribe(() => {
    const { status, retryAt } = observer.getSnapshot()
    seen.push(retryAt === undefined ? status : `${status} until ${retryAt}`)
  })
  return { observer, seen }
}

test('idle, sending, waiting, sending, success: one after the other', async () => {
  const { observer, seen } = observed()
  const call = openCall()
  expect(observer.getSnapshot()).toEqual({ status: 'idle' })
  const result = observer.trigger('input', call.perform)
  expect(observer.getSnapshot()).toEqual({ status: 'sending', variables: 'input' })
  call.wait(500)
  expect(observer.getSnapshot()).toEqual({ status: 'waiting', variables: 'input', retryAt: 500 })
  call.wait(900)
  call.wait(undefined)
  call.finish('output')
  await expect(result).resolves.toBe('output')
  expect(observer.getSnapshot()).toEqual({ status: 'success', variables: 'input', data: 'output' })
  expect(seen).toEqual(['sending', 'waiting until 500', 'waiting until 900', 'sending', 'success'])
})

test('a failure is shown with the input that failed', async () => {
  const { observer } = observed()
  const call = openCall()
  const result = observer.trigger('input', call.perform)
  call.fail(failure)
  await expect(result).rejects.toBe(failure)
  expect(observer.getSnapshot()).toEqual({ status: 'error', variables: 'input', error: failure })
})

test('what is no PetstoreError rejects, and leaves nothing to show', async () => {
  const { observer } = observed()
  const mistake = new TypeError('a mistake')
  await expect(observer.trigger('input', () => Promise.reject(mistake))).rejects.toBe(mistake)
  expect(observer.getSnapshot().status).toBe('idle')
})

test('the same snapshot until something changes', () => {
  const { observer } = observed()
  const before = observer.getSnapshot()
  expect(observer.getSnapshot()).toBe(before)
  void observer.trigger('input', openCall().perform)
  const during = observer.getSnapshot()
  expect(during).not.toBe(before)
  expect(observer.getSnapshot()).toBe(during)
})

describe('only the latest trigger is shown, and each settles with its own outcome', () => {
  test('when the first fails late', async () => {
    const { observer, seen } = observed()
    const [first, second] = [openCall(), openCall()]
    const results = [observer.trigger('A', first.perform), observer.trigger('B', second.perform)]
    second.finish('b')
    await results[1]
    first.wait(500)
    first.wait(undefined)
    first.fail(failure)
    await expect(results[0]).rejects.toBe(failure)
    expect(observer.getSnapshot()).toEqual({ status: 'success', variables: 'B', data: 'b' })
    expect(seen).toEqual(['sending', 'sending', 'success'])
  })

  test('when the first succeeds while the second is under way', async () => {
    const { observer } = observed()
    const [first, second] = [openCall(), openCall()]
    const results = [observer.trigger('A', first.perform), observer.trigger('B', second.perform)]
    first.finish('a')
    await expect(results[0]).resolves.toBe('a')
    expect(observer.getSnapshot()).toEqual({ status: 'sending', variables: 'B' })
    second.fail(failure)
    await expect(results[1]).rejects.toBe(failure)
    expect(observer.getSnapshot()).toMatchObject({ status: 'error', variables: 'B' })
  })
})

describe('cancel', () => {
  test('aborts all that is under way, and shows idle', async () => {
    const { observer } = observed()
    const calls = [openCall(), openCall()]
    const results = calls.map(({ perform }) => observer.trigger('input', perform))
    observer.cancel()
    expect(calls.map((call) => call.isAborted())).toEqual([true, true])
    for (const result of results) await expect(result).rejects.toMatchObject({ name: 'AbortError' })
    expect(observer.getSnapshot()).toEqual({ status: 'idle' })
  })

  test('does not touch what has ended', async () => {
    const { observer } = observed()
    const call = openCall()
    const result = observer.trigger('input', call.perform)
    call.finish('output')
    await result
    observer.cancel()
    expect(call.isAborted()).toBe(false)
    expect(observer.getSnapshot().status).toBe('success')
  })

  test('does not touch what is triggered right after it', async () => {
    const { observer, seen } = observed()
    const [first, second] = [openCall(), openCall()]
    const cancelled = observer.trigger('A', first.perform)
    observer.cancel()
    const result = observer.trigger('B', second.perform)
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
    expect(observer.getSnapshot()).toEqual({ status: 'sending', variables: 'B' })
    second.finish('b')
    await expect(result).resolves.toBe('b')
    expect(seen).toEqual(['sending', 'sending', 'success'])
  })

  test('news of a wait that come too late are not shown', async () => {
    const { observer } = observed()
    const call = openCall()
    const result = observer.trigger('input', call.perform)
    observer.cancel()
    await expect(result).rejects.toMatchObject({ name: 'AbortError' })
    call.wait(500)
    expect(observer.getSnapshot().status).toBe('idle')
    call.wait(undefined)
    expect(observer.getSnapshot().status).toBe('idle')
  })
})

describe('reset', () => {
  test('takes an outcome away', async () => {
    const { observer } = observed()
    const call = openCall()
    const result = observer.trigger('input', call.perform)
    call.finish('output')
    await result
    observer.reset()
    expect(observer.getSnapshot()).toEqual({ status: 'idle' })
  })

  test('lets a call under way go on, unseen', async () => {
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

  test('leaves calls under way within the reach of cancel', async () => {
    const { observer, seen } = observed()
    const result = observer.trigger('input', openCall().perform)
    observer.reset()
    observer.cancel()
    await expect(result).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen).toEqual(['sending', 'idle'])
  })
})

test('a listener that has left hears no more, even if it leaves while others are told', () => {
  const observer = createMutationObserver<string, string>()
  const second = vi.fn<() => void>()
  const leaveFirst = observer.subscribe(() => leaveFirst())
  observer.subscribe(second)
  void observer.trigger('input', openCall().perform)
  void observer.trigger('input', openCall().perform)
  expect(second).toHaveBeenCalledTimes(2)
})
