import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, test } from 'vitest'
import { defineOperation } from '../../src/client.ts'
import { createQuickClient, failureOf, json, watchRequests } from './client.setup.ts'

/** What schemas return that do not follow the Standard Schema contract. */
const brokenResults: readonly (readonly [string, () => unknown])[] = [
  [
    'throws',
    () => {
      throw new Error('a mistake')
    },
  ],
  ['rejects', () => Promise.reject(new Error('a mistake'))],
  ['returns nothing', () => undefined],
  ['returns null', () => null],
  ['returns text', () => 'fine'],
  ['returns neither a value nor issues', () => ({})],
  ['returns issues that are no list', () => ({ issues: 'no' })],
  ['returns an issue without a message', () => ({ issues: [{}] })],
  ['returns an issue that is null', () => ({ issues: [null] })],
  ['returns an issue whose path is text', () => ({ issues: [{ message: 'no', path: 'name' }] })],
  ['returns an issue whose path holds null', () => ({ issues: [{ message: 'no', path: [null] }] })],
]

/** A schema of an app without types. */
const schemaOf = (validate: () => unknown): StandardSchemaV1 =>
  ({ '~standard': { version: 1, vendor: 'test', validate } }) as StandardSchemaV1

const issues = [{ message: 'the schema failed on it', path: [] }]

describe.each(brokenResults)('a schema that %s', (_, validate) => {
  test('refuses the response', async () => {
    const client = createQuickClient(async () => json([1]))
    const error = await failureOf(
      client.call(defineOperation({ name: 'rows', path: '/rows', output: schemaOf(validate) })),
    )
    expect(error).toMatchObject({ kind: 'response-validation', problem: 'wrong-shape', attempts: 1, issues })
  })

  test('refuses the input, and nothing is sent', async () => {
    const { sent, fetch } = watchRequests(async () => json([1]))
    const find = defineOperation({ name: 'find', path: '/find', input: schemaOf(validate), output: schemaOf(validate) })
    const error = await failureOf(createQuickClient(fetch).call(find, { term: 'a' }))
    expect(error).toMatchObject({ kind: 'input-validation', attempts: 0, issues })
    expect(sent).toEqual([])
  })
})
