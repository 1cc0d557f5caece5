import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { replay } from '../../src/testing.ts'

/** As "Copy as JSON" wrote it in the first version of the format. Later versions of the package have to read it. */
const text = readFileSync(new URL('recordings/coolDown.json', import.meta.url), 'utf8')

const changed = (change: object) => ({ ...JSON.parse(text), ...change })

test('a recording that was pasted into a test replays with no difference', async () => {
  expect(await replay(text)).toEqual([])
  expect(await replay(JSON.parse(text))).toEqual([])
})

test('calls of before its beginning are not played', async () => {
  const { from } = JSON.parse(text)
  const differences = await replay(changed({ from: from + 500 }), { client: { retry: { maxWait: 0 } } })
  // Without the refusal of the first call, nothing holds the others back.
  expect(differences.map(({ operation, now }) => [operation, now])).toEqual([
    ['createCategory', 'request 1 left at 0.5 s'],
    ['createCategory', 'request 1 left at 0.6 s'],
  ])
})

test.each([
  ['a redirect, of which a page sees no status', 0],
  ['a status that a Response cannot be made with', 999],
])('%s is replayed as it was', async (_, status) => {
  const { calls, ...recording } = JSON.parse(text)
  const [{ attempts, startedAt, ...call }] = calls
  const [{ result, ...attempt }] = attempts
  const end = { at: startedAt + 80, duration: 80, result: status === 0 ? 'unexpected-status' : 'server' }
  const responded = { ...attempt, result: { ...result, status, rateLimitHeaders: {} } }
  const moved = { ...call, startedAt, attempts: [responded], end }
  expect(await replay({ ...recording, calls: [moved] })).toEqual([])
})

describe('what is no recording is refused:', () => {
  test.each([
    ['text that is no JSON', '{', 'A recording is JSON, and this is not.'],
    ['another version', changed({ version: 2 }), 'This is no recording of version 1: version: Invalid input'],
    ['a report of before', {}, /^This is no recording of version 1: version: .*; from: .*; at: /],
    ['a call without an id', changed({ calls: [{ operation: 'listCategories' }] }), /calls\.0\.callId/],
  ])('%s', async (_, recording, message) => {
    await expect(replay(recording)).rejects.toThrow(message)
    await expect(replay(recording)).rejects.toBeInstanceOf(TypeError)
  })
})
