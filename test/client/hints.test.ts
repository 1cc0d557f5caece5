import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation } from '../../src/client.ts'
import type { OperationDefinition } from '../../src/contract/defineOperation.ts'
import { createQuickClient, failureOf, json } from './client.setup.ts'

let warn: MockInstance<typeof console.warn>
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

let operationCount = 0

/** An operation that has caused no warning yet. */
function newOperation(definition: Partial<OperationDefinition<undefined, unknown>> = {}) {
  operationCount += 1
  return defineOperation({ name: `operation${operationCount}`, path: '/path', output: z.unknown(), ...definition })
}

/** The warnings after a response with these headers. */
async function warnings(headers: Record<string, string>, operation = newOperation()): Promise<string[]> {
  await createQuickClient(async () => json('{}', 200, headers)).call(operation)
  return warn.mock.calls.map(([text]) => String(text).replace(`petstore-react: ${operation.name} `, ''))
}

const noSunset = 'The service has not said when it ends.'

describe('a deprecated operation', () => {
  test.each([
    ['`Deprecation` with a date', { Deprecation: '@1735689600' }, `is deprecated. ${noSunset}`],
    ['`Deprecation` as in earlier drafts', { Deprecation: 'true' }, `is deprecated. ${noSunset}`],
    [
      '`Deprecation` and `Sunset`',
      { Deprecation: '@1735689600', Sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' },
      'is deprecated. It ends on 2027-06-30.',
    ],
  ])('is reported with the day on which it ends, if a header says so: %s', async (_, headers, text) => {
    expect(await warnings(headers as Record<string, string>)).toEqual([text])
  })

  test('is reported if its definition says `deprecated`, even without a header', async () => {
    expect(await warnings({}, newOperation({ deprecated: true }))).toEqual([`is deprecated. ${noSunset}`])
  })

  test('is reported once, whatever later headers say', async () => {
    const operation = newOperation()
    await warnings({ Deprecation: '@1735689600' }, operation)
    expect(await warnings({ Sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' }, operation)).toHaveLength(1)
  })

  test('is reported after a failure, too', async () => {
    const client = createQuickClient(async () => json('{}', 404, { Deprecation: '@1735689600' }))
    await failureOf(client.call(newOperation()))
    expect(warn).toHaveBeenCalledOnce()
  })
})

test.each(['experimental', 'beta'] as const)('an operation that is %s is reported once', async (stability) => {
  const operation = newOperation({ stability })
  const text = `is ${stability}: the service may change it without notice.`
  expect(await warnings({}, operation)).toEqual([text])
  expect(await warnings({}, operation)).toEqual([text])
})
