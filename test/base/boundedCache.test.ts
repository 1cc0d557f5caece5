import { describe, expect, test } from 'vitest'
import { createBoundedCache } from '../../src/base/boundedCache.ts'

const ofSize = (size: number) => ({ size })

describe('a bounded cache', () => {
  test('counts a key that is set again once, and what is removed no more', () => {
    const { values, set, remove } = createBoundedCache<{ size: number }>(10)
    for (let time = 0; time < 5; time += 1) set('a', ofSize(4))
    remove('a')
    remove('a')
    for (const key of ['b', 'c']) set(key, ofSize(5))
    expect([...values.keys()]).toEqual(['b', 'c'])
    set('d', ofSize(1))
    expect([...values.keys()]).toEqual(['c', 'd'])
  })
})
