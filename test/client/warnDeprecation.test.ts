import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, type OperationDefinition, operations } from '../../src/client.ts'
import { createQuickClient, failureOf, json } from './client.setup.ts'

let warn: MockInstance<typeof console.warn>
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

let names = 0

/** An operation that nothing was told of yet. */
function newOperation(definition: Partial<OperationDefinition<undefined, unknown>> = {}) {
  names += 1
  return defineOperation({ name: `operation${names}`, path: '/path', output: z.unknown(), ...definition })
}

/** What developers are told after a response with these headers. */
async function warnings(headers: Record<string, string>, operation = newOperation()): Promise<string[]> {
  await createQuickClient(async () => json('{}', 200, headers)).call(operation)
  return warn.mock.calls.map(([text]) => String(text).replace(`petstore-react: ${operation.name} `, ''))
}

const openEnd = 'The service has not said when it ends.'

describe('of a deprecated operation', () => {
  test.each([
    ['a date', { Deprecation: '@1735689600' }, `is deprecated since 2025-01-01. ${openEnd}`],
    ['a date with parameters', { Deprecation: '@1735689600;a=1' }, `is deprecated since 2025-01-01. ${openEnd}`],
    ['a date to come', { Deprecation: '@4102444800' }, `is deprecated from 2100-01-01 on. ${openEnd}`],
    ['what earlier drafts wrote', { Deprecation: 'true' }, `is deprecated. ${openEnd}`],
    ['what is no date', { Deprecation: '@17356896x' }, `is deprecated. ${openEnd}`],
    ['a number without end', { Deprecation: `@${'9'.repeat(40)}` }, `is deprecated. ${openEnd}`],
    ['a sunset', { Sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' }, 'is deprecated. It ends on 2027-06-30.'],
    ['a sunset that is no date', { Sunset: 'soon' }, `is deprecated. ${openEnd}`],
    [
      'both',
      { Deprecation: '@1735689600', Sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' },
      'is deprecated since 2025-01-01. It ends on 2027-06-30.',
    ],
  ])('tells what the headers say: %s', async (_, headers, text) => {
    expect(await warnings(headers as Record<string, string>)).toEqual([text])
  })

  test('tells what the table says, where the service sends nothing', async () => {
    expect(await warnings({}, newOperation({ deprecated: true }))).toEqual([`is deprecated. ${openEnd}`])
  })

  test('tells it once, whatever is sent later', async () => {
    const operation = newOperation()
    await warnings({ Deprecation: '@1735689600' }, operation)
    expect(await warnings({ Sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' }, operation)).toHaveLength(1)
  })

  test('tells it of each operation', async () => {
    await warnings({ Deprecation: '@1735689600' })
    expect(await warnings({ Deprecation: '@1735689600' })).toHaveLength(2)
  })

  test('tells it after a failure, too', async () => {
    const client = createQuickClient(async () => json('{}', 404, { Deprecation: '@1735689600' }))
    await failureOf(client.call(newOperation()))
    expect(warn).toHaveBeenCalledOnce()
  })
})

test.each(['experimental', 'beta'] as const)('tells once that an operation is %s', async (stability) => {
  const operation = newOperation({ stability })
  const text = `is ${stability}: the service may change it without notice.`
  expect(await warnings({}, operation)).toEqual([text])
  expect(await warnings({}, operation)).toEqual([text])
})

test('tells both, where both are so', async () => {
  expect(await warnings({}, newOperation({ stability: 'beta', deprecated: true }))).toHaveLength(2)
})

test('tells nothing of an operation that is neither', async () => {
  expect(await warnings({})).toEqual([])
})

test('tells nothing in production', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const operation = newOperation({ stability: 'beta', deprecated: true })
  expect(await warnings({ Deprecation: '@1735689600' }, operation)).toEqual([])
})

test('of the documented operations one is deprecated, and none is known to be unstable', () => {
  const all = Object.values(operations)
  expect(all.filter(({ deprecated }) => deprecated)).toEqual([operations.getPet])
  expect(all.filter(({ stability }) => stability !== undefined)).toEqual([])
})
