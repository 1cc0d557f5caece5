import { expect, it } from 'vitest'
import { createListeners } from '../../src/rate-limit/listeners.ts'

it('a listener is called with each value, until it is removed', () => {
  const listeners = createListeners<number>()
  const heard: number[] = []
  const remove = listeners.add((value) => heard.push(value))
  listeners.call(1)
  remove()
  listeners.call(3)
  expect(heard).toEqual([1])
})

it('one function that was added twice is called twice, and removed once', () => {
  const listeners = createListeners<number>()
  const heard: number[] = []
  const listener = (value: number) => void heard.push(value)
  const remove = listeners.add(listener)
  listeners.add(listener)
  listeners.call(1)
  remove()
  remove()
  listeners.call(2)
  expect(heard).toEqual([1, 1, 2])
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

it('a second removal takes away nobody else’s listener', () => {
  const listeners = createListeners<number>()
  const remove = listeners.add(() => {})
  remove()
  const heard: number[] = []
  listeners.add((value) => heard.push(value))
  remove()
  listeners.call(1)
  expect(heard).toEqual([1])
})

it('who is added during a call is called from the next one on', () => {
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
