import { act, cleanup, renderHook } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSecondsUntil } from '../../src/index.ts'

const start = Date.UTC(2030, 0, 1, 12)

beforeEach(() => {
  vi.useFakeTimers({ now: start })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function pass(milliseconds: number): void {
  act(() => void vi.advanceTimersByTime(milliseconds))
}

/** Renders the hook. `shown` has the value of each render, in order. */
function watch(deadline: number | undefined) {
  const shown: (number | undefined)[] = []
  const hook = renderHook(
    (until: number | undefined) => {
      const seconds = useSecondsUntil(until)
      shown.push(seconds)
      return seconds
    },
    { initialProps: deadline },
  )
  return { shown, ...hook }
}

test('shows each second once, also if it starts with a part of a second, and then stops', () => {
  const { shown } = watch(start + 3_250)
  pass(250)
  expect(shown).toEqual([4, 3])
  for (let second = 0; second < 10; second += 1) pass(1_000)
  expect(shown).toEqual([4, 3, 2, 1, 0])
  expect(vi.getTimerCount()).toBe(0)
})

test('a deadline that has passed is 0 at once, without a timer', () => {
  expect(watch(start - 5_000).shown).toEqual([0])
  expect(vi.getTimerCount()).toBe(0)
})

test('after the machine has slept, it shows the time that is left, not what it counted', () => {
  const { result } = watch(start + 60_000)
  pass(1_000)
  vi.setSystemTime(start + 40_500) // the machine has slept: no timer ran
  pass(1_000)
  expect(result.current).toBe(19)
})

test('a new deadline replaces the old one at once', () => {
  const { shown, rerender } = watch(start + 3_000)
  rerender(start + 100_000)
  pass(1_000)
  pass(1_000)
  expect(shown).toEqual([3, 100, 99, 98])
  expect(vi.getTimerCount()).toBe(1)
  rerender(undefined)
  expect(shown.at(-1)).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})

test('an infinite deadline sets one timer per second, and no more', () => {
  const { result } = watch(Infinity)
  const timers = vi.spyOn(globalThis, 'setTimeout')
  pass(5_000)
  expect(timers).toHaveBeenCalledTimes(5)
  expect(result.current).toBe(Infinity)
})

function Seconds({ until }: { until: number }) {
  return <p>{useSecondsUntil(until)}</p>
}

test('has no value on a server, hydrates without a mismatch, and then shows the seconds', async () => {
  const logged = vi.spyOn(console, 'error')
  const container = document.createElement('div')
  container.innerHTML = renderToString(<Seconds until={start + 60_000} />)
  expect(container.innerHTML).toBe('<p></p>')
  const root = await act(async () => hydrateRoot(container, <Seconds until={start + 60_000} />))
  expect(container.innerHTML).toBe('<p>60</p>')
  expect(logged).not.toHaveBeenCalled()
  act(() => root.unmount())
})
