import { describe, expect, test } from 'vitest'
import { createBoundedCache } from '../../src/base/boundedCache.ts'

const valueOf = (size: number) => ({ size })

describe('a bounded cache', () => {
  test('counts the size of a key once, however often it is set, and no longer once the key is removed', () => {
    const { values, set, remove } = createBoundedCache<{ size: number }>(10)
    for (let time = 0; time < 5; time += 1) set('a', valueOf(4))
    remove('a')
    remove('a')
    for (const key of ['b', 'c']) set(key, valueOf(5))
    expect([...values.keys()]).toEqual(['b', 'c'])
    set('d', valueOf(1))
    expect([...values.keys()]).toEqual(['c', 'd'])
  })
})
