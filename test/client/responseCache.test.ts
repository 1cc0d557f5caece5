import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation } from '../../src/client.ts'
import { respondWith, createQuickClient, failureOf, json } from './client.setup.ts'

/** A schema that counts how often it is asked. */
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

describe('the same text again', () => {
  test('is the same value, and is not checked again', async () => {
    const { schema, runs } = countingSchema()
    const client = createQuickClient(async () => json([{ id: 1 }]))
    const first = await client.call(rowsWith(schema))
    expect(await client.call(rowsWith(schema))).toBe(first)
    expect(await client.call(rowsWith(schema))).toBe(first)
    expect(runs()).toBe(1)
  })

  test('is the same value of 100,000 rows', async () => {
    const text = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id, name: `row ${id}` })))
    const { schema, runs } = countingSchema()
    const client = createQuickClient(async () => json(text))
    const first = await client.call(rowsWith(schema))
    expect(await client.call(rowsWith(schema))).toBe(first)
    expect(runs()).toBe(1)
  })

  test('is so after a failure, too', async () => {
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

  test('is another value once another text came between', async () => {
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

  test('is the other value to another schema', async () => {
    const client = createQuickClient(async () => json([1]))
    await client.call(rowsWith(countingSchema().schema))
    const strict = defineOperation({ name: 'listRows', path: '/rows', output: z.array(z.string()) })
    expect(await failureOf(client.call(strict))).toMatchObject({ kind: 'response-validation' })
  })

  test('is another response under another status', async () => {
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

  test('is a failure again where the status says so', async () => {
    const client = createQuickClient(
      respondWith(
        () => json([1], 200),
        () => json([1], 404),
      ),
    )
    const operation = rowsWith(countingSchema().schema)
    await client.call(operation)
    expect(await failureOf(client.call(operation))).toMatchObject({ kind: 'unexpected-status' })
  })
})

describe('other questions', () => {
  const find = (schema: StandardSchemaV1<unknown, readonly unknown[]>) =>
    defineOperation({ name: 'find', path: '/find', input: z.object({ term: z.string() }), output: schema })

  test('have responses of their own', async () => {
    const { schema, runs } = countingSchema()
    const client = createQuickClient(async () => json([1]))
    const first = await client.call(find(schema), { term: 'a' })
    const other = await client.call(find(schema), { term: 'b' })
    expect(other).not.toBe(first)
    expect(await client.call(find(schema), { term: 'a' })).toBe(first)
    expect(await client.call(find(schema), { term: 'b' })).toBe(other)
    expect(runs()).toBe(2)
  })

  test('push out the one that was asked longest ago, from the 51st on', async () => {
    const { schema } = countingSchema()
    const client = createQuickClient(async () => json([1]))
    const ask = (term: number | string) => client.call(find(schema), { term: String(term) })
    const kept = await ask('kept')
    const pushedOut = await ask('pushed out')
    for (let term = 0; term < 48; term += 1) await ask(term)
    expect(await ask('kept')).toBe(kept)
    await ask('one more')
    expect(await ask('kept')).toBe(kept)
    expect(await ask('pushed out')).not.toBe(pushedOut)
  })

  test('of other operations at the same address are other questions', async () => {
    const { schema } = countingSchema()
    const client = createQuickClient(async () => json([1]))
    const one = await client.call(defineOperation({ name: 'one', path: '/same', output: schema }))
    expect(await client.call(defineOperation({ name: 'other', path: '/same', output: schema }))).not.toBe(one)
  })

  test('what changes something is never remembered', async () => {
    const { schema, runs } = countingSchema()
    const client = createQuickClient(async () => json([1]))
    const change = defineOperation({ name: 'change', method: 'POST', path: '/change', output: schema })
    expect(await client.call(change)).not.toBe(await client.call(change))
    expect(runs()).toBe(2)
  })

  test('another client remembers nothing of it', async () => {
    const { schema } = countingSchema()
    const clients = [1, 2].map(() => createQuickClient(async () => json([1])))
    const [one, other] = await Promise.all(clients.map((client) => client.call(rowsWith(schema))))
    expect(other).not.toBe(one)
  })
})
