import { describe, expect, test } from 'vitest'
import { createRoundRobin } from '../../src/server/roundRobin.ts'

function fill(items: readonly (readonly [user: string, item: string])[]) {
  const queue = createRoundRobin<string>()
  for (const [user, item] of items) queue.add(user, item)
  return queue
}

describe('users take turns', () => {
  test('and keep their place while they are not ready', () => {
    const queue = fill([
      ['ann', 'a1'],
      ['ann', 'a2'],
      ['bob', 'b1'],
      ['bob', 'b2'],
    ])
    expect(queue.take((item) => item.startsWith('b'))).toBe('b1')
    expect(queue.take(() => false)).toBeUndefined()
    expect([queue.take(), queue.take(), queue.take()]).toEqual(['a1', 'b2', 'a2'])
  })

  test('each with the oldest of their items', () => {
    const queue = fill([
      ['ann', 'a1'],
      ['ann', 'a2'],
      ['ann', 'a3'],
      ['bob', 'b1'],
      ['eve', 'e1'],
      ['eve', 'e2'],
    ])
    const take = (count: number) => Array.from({ length: count }, () => queue.take())
    expect(take(3)).toEqual(['a1', 'b1', 'e1'])
    queue.add('bob', 'b2')
    expect(take(5)).toEqual(['a2', 'e2', 'b2', 'a3', undefined])
    expect(queue.size).toBe(0)
  })

  test('and a removed item takes none', () => {
    const queue = fill([
      ['ann', 'a1'],
      ['bob', 'b1'],
      ['bob', 'b2'],
    ])
    queue.remove('ann', 'a1')
    queue.remove('ann', 'a1')
    queue.remove('eve', 'b1')
    queue.remove('bob', 'b1')
    expect([queue.size, queue.countOf('ann'), queue.countOf('bob')]).toEqual([1, 0, 1])
    expect(queue.take()).toBe('b2')
  })
})

test('the newest item of the user with the most makes room, and of equal users that of the last', () => {
  const queue = fill([
    ['ann', 'a1'],
    ['ann', 'a2'],
    ['bob', 'b1'],
  ])
  expect(queue.newestOfLongest()).toBe('a2')
  queue.add('bob', 'b2')
  expect(queue.newestOfLongest()).toBe('b2')
  expect(createRoundRobin().newestOfLongest()).toBeUndefined()
})
