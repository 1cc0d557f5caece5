import { expect, it } from 'vitest'
import { createListeners } from '../../src/base/listeners.ts'

it('calls a listener with each value, until it is removed', () => {
  const listeners = createListeners<number>()
  const received: number[] = []
  const remove = listeners.add((value) => received.push(value))
  listeners.call(1)
  remove()
  listeners.call(3)
  expect(received).toEqual([1])
})

it('calls a function that was added twice twice, and removes it one at a time', () => {
  const listeners = createListeners<number>()
  const received: number[] = []
  const listener = (value: number) => void received.push(value)
  const remove = listeners.add(listener)
  listeners.add(listener)
  listeners.call(1)
  remove()
  remove()
  listeners.call(2)
  expect(received).toEqual([1, 1, 2])
})

it('is empty when the last listener is removed', () => {
  const listeners = createListeners<number>()
  expect(listeners.isEmpty).toBe(true)
  const removals = [1, 2, 3].map(() => listeners.add(() => {}))
  const emptiness = removals.map((remove) => {
    remove()
    return listeners.isEmpty
  })
  expect(emptiness).toEqual([false, false, true])
})

it('removes no other listener when one is removed twice', () => {
  const listeners = createListeners<number>()
  const remove = listeners.add(() => {})
  remove()
  const received: number[] = []
  listeners.add((value) => received.push(value))
  remove()
  listeners.call(1)
  expect(received).toEqual([1])
})

it('calls a listener that is added during a call from the next call on', () => {
  const listeners = createListeners<number>()
  let calls = 0
  listeners.add(() => {
    calls += 1
    if (calls < 9) listeners.add(() => (calls += 1))
  })
  listeners.call(1)
  expect(calls).toBe(1)
  listeners.call(2)
  expect(calls).toBe(3)
})
