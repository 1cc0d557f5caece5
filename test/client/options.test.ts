import { describe, expect, test } from 'vitest'
import { createPetstoreClient } from '../../src/client.ts'

const withOption = (option: object) => () => createPetstoreClient({ baseUrl: 'https://petstore.test/v1', ...option })

describe('an invalid option is rejected with the valid values', () => {
  test.each([0, -1, Number.NaN, Number.NEGATIVE_INFINITY])('timeout: %o', (timeout) => {
    expect(withOption({ timeout })).toThrow(new TypeError('timeout is a number of milliseconds above 0, or Infinity.'))
  })

  test.each([0, -1, Number.NaN, Number.NEGATIVE_INFINITY, null])('maxResponseSize: %o', (maxResponseSize) => {
    const message = 'maxResponseSize is a number of bytes above 0, or Infinity.'
    expect(withOption({ maxResponseSize })).toThrow(new TypeError(message))
  })

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3', null])('retry.attempts: %o', (attempts) => {
    expect(withOption({ retry: { attempts } })).toThrow(new TypeError('retry.attempts is a whole number above 0.'))
  })

  test.each([-1, Number.NaN, Number.NEGATIVE_INFINITY])('retry.maxWait: %o', (maxWait) => {
    const message = 'retry.maxWait is a number of milliseconds, 0 or more, or Infinity.'
    expect(withOption({ retry: { maxWait } })).toThrow(new TypeError(message))
  })

  test.each([-1, Number.NaN, Number.NEGATIVE_INFINITY])('maxWait of a call: %o', async (maxWait) => {
    const message = 'maxWait is a number of milliseconds, 0 or more, or Infinity.'
    await expect(withOption({})().listCategories({ maxWait })).rejects.toThrow(new TypeError(message))
  })

  test.each([
    'gold',
    'toString',
    '',
    null,
    7,
    {},
    { limit: 60 },
    { limit: 0, per: 1_000 },
    { limit: 1.5, per: 1_000 },
    { limit: 60, per: 0 },
    { limit: 60, per: Number.POSITIVE_INFINITY },
  ])('plan: %o', (plan) => {
    expect(withOption({ plan })).toThrow(TypeError)
  })
})

test('creating a client calls none of the functions in its options', () => {
  let calls = 0
  const record = () => {
    calls += 1
    return Promise.reject(new Error('too early'))
  }
  const store = { update: record, subscribe: () => record }
  expect(withOption({ fetch: record, apiKey: record, onEvent: record, rateLimitStore: store })).not.toThrow()
  expect(calls).toBe(0)
})
