import { describe, expect, test } from 'vitest'
import { messageSchema, newMessageSchema } from '../../src/contract/schemas.ts'
import { issuesOf, validate } from './validate.ts'

const message = { id: 'm-1', message: 'Hello', status: 'queued', createdAt: '2026-01-01T00:00:00Z' }

describe('messageSchema', () => {
  test.each([
    message,
    { ...message, id: '', message: '' },
    { ...message, status: 'a status that nobody has documented' },
    { ...message, createdAt: '2026-01-01T00:00:00.123456Z' },
    { ...message, createdAt: '2024-02-29T23:59:59+00:00' },
  ])('accepts %j, and drops a field that it does not know', (value) => {
    expect(validate(messageSchema, { ...value, unknown: 1 })).toStrictEqual({ value })
  })

  test.each(['id', 'message', 'status', 'createdAt'] as const)('refuses a message without text in %s', (field) => {
    const { [field]: _, ...rest } = message
    expect(issuesOf(messageSchema, rest)).toEqual([`${field}: expected a string`])
    expect(issuesOf(messageSchema, { ...message, [field]: 7 })).toEqual([`${field}: expected a string`])
    expect(issuesOf(messageSchema, { ...message, [field]: null })).toEqual([`${field}: expected a string`])
  })

  test.each(['', 'yesterday', '1767225600', '2026-01-01', '2026-13-01T00:00:00Z', '2026-01-01T25:00:00Z'])(
    'refuses the time "%s"',
    (createdAt) => {
      expect(issuesOf(messageSchema, { ...message, createdAt })).toEqual(['createdAt: expected an ISO 8601 timestamp'])
    },
  )
})

test('newMessageSchema accepts a text that is not blank, and drops other fields', () => {
  expect(validate(newMessageSchema, { message: 'Hi', id: 'm-1' })).toStrictEqual({ value: { message: 'Hi' } })
  expect(issuesOf(newMessageSchema, { message: ' ' })).toEqual(['message: expected some text'])
  expect(issuesOf(newMessageSchema, {})).toEqual(['message: expected a string'])
  expect(issuesOf(newMessageSchema, { message: 7 })).toEqual(['message: expected a string'])
  expect(issuesOf(newMessageSchema, 'Hello')).toEqual(['expected an object'])
})
