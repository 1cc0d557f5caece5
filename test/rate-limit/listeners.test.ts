import { expect, it } from 'vitest'
import { createListeners } from '../../src/rate-limit/listeners.ts'

it('a listener is called with each value under its name, until it is removed', () => {
  const listeners = createListeners<number>()
  const heard: number[] = []
  const remove = listeners.add('a', (value) => heard.push(value))
  listeners.call('a', 1)
  listeners.call('b', 2)
  remove()
  listeners.call('a', 3)
  expect(heard).toEqual([1])
})

it('one function that was added twice is called twice, and removed once', () => {
  const listeners = createListeners<number>()
  const heard: number[] = []
  const listener = (value: number) => void heard.push(value)
  const remove = listeners.add('a', listener)
  listeners.add('a', listener)
  listeners.call('a', 1)
  remove()
  remove()
  listeners.call('a', 2)
  expect(heard).toEqual([1, 1, 2])
})

it('is empty when the last listener of all names is removed', () => {
  const listeners = createListeners<number>()
  expect(listeners.isEmpty).toBe(true)
  const removals = ['a', 'a', 'b'].map((name) => listeners.add(name, () => {}))
  const emptiness = removals.map((remove) => {
    remove()
    return listeners.isEmpty
  })
  expect(emptiness).toEqual([false, false, true])
})

it('a second removal takes away nobody else’s listener', () => {
  const listeners = createListeners<number>()
  const remove = listeners.add('a', () => {})
  remove()
  const heard: number[] = []
  listeners.add('a', (value) => heard.push(value))
  remove()
  listeners.call('a', 1)
  expect(heard).toEqual([1])
})

it('who is added during a call is called from the next one on', () => {
  const listeners = createListeners<number>()
  let calls = 0
  listeners.add('a', () => {
    calls += 1
    if (calls < 9) listeners.add('a', () => (calls += 1))
  })
  listeners.call('a', 1)
  expect(calls).toBe(1)
  listeners.call('a', 2)
  expect(calls).toBe(3)
})
