import { describe, expect, test } from 'vitest'
import { createBoundedCache } from '../../src/base/boundedCache.ts'

const ofSize = (size: number) => ({ size })

describe('a bounded cache', () => {
  test('drops what was set the longest ago once everything together is too large', () => {
    const { values, set } = createBoundedCache<{ size: number }>(10)
    for (const key of ['a', 'b', 'c']) set(key, ofSize(4))
    expect([...values.keys()]).toEqual(['b', 'c'])
    set('b', ofSize(4))
    set('d', ofSize(6))
    expect([...values.keys()]).toEqual(['b', 'd'])
  })

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

  test('keeps the others where a value alone is too large, and drops what its key had before', () => {
    const { values, set } = createBoundedCache<{ size: number }>(10)
    for (const key of ['a', 'b']) set(key, ofSize(4))
    set('a', ofSize(11))
    expect([...values.keys()]).toEqual(['b'])
  })
})
