import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation } from '../../src/client.ts'
import { createQuickClient, failureOf, json, respondWith } from './client.setup.ts'

/** A schema that counts its runs. */
function countingSchema(): {
  readonly schema: StandardSchemaV1<unknown, readonly unknown[]>
  readonly runs: () => number
} {
  let count = 0
  return {
    runs: () => count,
    schema: {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => {
          count += 1
          return Array.isArray(value) ? { value: value as unknown[] } : { issues: [{ message: 'expected an array' }] }
        },
      },
    },
  }
}

const rowsWith = (schema: StandardSchemaV1<unknown, readonly unknown[]>) =>
  defineOperation({ name: 'listRows', path: '/rows', output: schema })

describe('an equal response', () => {
  test('resolves with the same object, and is not validated again', async () => {
    const { schema, runs } = countingSchema()
    const client = createQuickClient(async () => json([{ id: 1 }]))
    const first = await client.call(rowsWith(schema))
    expect(await client.call(rowsWith(schema))).toBe(first)
    expect(await client.call(rowsWith(schema))).toBe(first)
    expect(runs()).toBe(1)
  })

  test('is validated again after `clear`, also if `clear` came during the first validation', async () => {
    const { schema, runs } = countingSchema()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { validate } = schema['~standard']
    const slow = rowsWith({
      '~standard': { ...schema['~standard'], validate: (value) => held.then(() => validate(value)) },
    })
    const client = createQuickClient(async () => json([1]))
    const ended = failureOf(client.call(slow))
    await new Promise((resolve) => setImmediate(resolve))
    client.clear()
    release()
    expect(await ended).toMatchObject({ name: 'AbortError' })
    await client.call(slow)
    expect(runs()).toBe(2)
  })

  test('resolves with the same object after failures in between', async () => {
    const { schema, runs } = countingSchema()
    const client = createQuickClient(
      respondWith(
        () => json([1]),
        () => json('{}', 500),
        () => json('no rows', 200),
        () => json([1]),
      ),
    )
    const first = await client.call(rowsWith(schema))
    expect(await failureOf(client.call(rowsWith(schema)))).toMatchObject({ kind: 'server' })
    expect(await failureOf(client.call(rowsWith(schema)))).toMatchObject({ kind: 'response-validation' })
    expect(await client.call(rowsWith(schema))).toBe(first)
    expect(runs()).toBe(1)
  })

  test('resolves with another object after a different success in between', async () => {
    const client = createQuickClient(
      respondWith(
        () => json([1]),
        () => json([2]),
        () => json([1]),
      ),
    )
    const operation = rowsWith(countingSchema().schema)
    const first = await client.call(operation)
    expect(await client.call(operation)).toEqual([2])
    const third = await client.call(operation)
    expect(third).toEqual([1])
    expect(third).not.toBe(first)
  })

  test('is validated again for another schema', async () => {
    const client = createQuickClient(async () => json([1]))
    await client.call(rowsWith(countingSchema().schema))
    const strict = defineOperation({ name: 'listRows', path: '/rows', output: z.array(z.string()) })
    expect(await failureOf(client.call(strict))).toMatchObject({ kind: 'response-validation' })
  })

  test('resolves with another object where the status differs', async () => {
    const { schema, runs } = countingSchema()
    const client = createQuickClient(
      respondWith(
        () => json([1], 200),
        () => json([1], 203),
      ),
    )
    const first = await client.call(rowsWith(schema))
    expect(await client.call(rowsWith(schema))).not.toBe(first)
    expect(runs()).toBe(2)
  })
})

describe('another request', () => {
  const find = (schema: StandardSchemaV1<unknown, readonly unknown[]>) =>
    defineOperation({ name: 'find', path: '/find', input: z.object({ term: z.string() }), output: schema })

  test('has a cached response of its own', async () => {
    const { schema, runs } = countingSchema()
    const client = createQuickClient(async () => json([1]))
    const first = await client.call(find(schema), { term: 'a' })
    const other = await client.call(find(schema), { term: 'b' })
    expect(other).not.toBe(first)
    expect(await client.call(find(schema), { term: 'a' })).toBe(first)
    expect(await client.call(find(schema), { term: 'b' })).toBe(other)
    expect(runs()).toBe(2)
  })

  test('evicts the response that was received longest ago, beyond 5 MB', async () => {
    const { schema } = countingSchema()
    const client = createQuickClient(async () => json(['x'.repeat(2_000_000)]))
    const request = (term: string) => client.call(find(schema), { term })
    const first = await request('first')
    const second = await request('second')
    expect(await request('first')).toBe(first)
    await request('third')
    expect(await request('first')).toBe(first)
    expect(await request('second')).not.toBe(second)
  })

  test('whose response alone exceeds 5 MB evicts nothing and is not kept', async () => {
    const { schema } = countingSchema()
    const client = createQuickClient(async ({ url }) =>
      json(url.endsWith('large') ? ['x'.repeat(5_000_000)] : ['small']),
    )
    const request = (term: string) => client.call(find(schema), { term })
    const small = await request('small')
    const large = await request('large')
    expect(await request('large')).not.toBe(large)
    expect(await request('small')).toBe(small)
  })

  test('that writes is never cached', async () => {
    const { schema, runs } = countingSchema()
    const client = createQuickClient(async () => json([1]))
    const change = defineOperation({ name: 'change', method: 'POST', path: '/change', output: schema })
    expect(await client.call(change)).not.toBe(await client.call(change))
    expect(runs()).toBe(2)
  })
})
