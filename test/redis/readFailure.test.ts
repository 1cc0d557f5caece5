import { expect, test } from 'vitest'
import { readFailure, RedisTimeoutError, UnknownReplyError } from '../../src/server/redis/readFailure.ts'

const withCode = (code: string) => Object.assign(new Error(`connect ${code} 10.0.0.1:6379`), { code })

class ClientClosedError extends Error {}

const withReplies = (...replies: readonly unknown[]) =>
  Object.assign(new Error(`${replies.length} commands failed, see .replies and .errorIndexes for more information`), {
    replies,
  })

test.each([
  [new RedisTimeoutError(), 'timeout'],
  [withCode('ECONNREFUSED'), 'unreachable'],
  [withCode('ENOTFOUND'), 'unreachable'],
  [new AggregateError([withCode('ECONNREFUSED'), withCode('EHOSTUNREACH')]), 'unreachable'],
  [new ClientClosedError('The client is closed'), 'unreachable'],
  [new Error('Connection is closed.'), 'unreachable'],
  [new Error('NOAUTH Authentication required.'), 'authentication'],
  [withReplies('OK', new Error('NOAUTH HELLO must be called with the client already authenticated')), 'authentication'],
  [withReplies(), 'other'],
  [new Error('ERR Protocol error: unauthenticated multibulk length'), 'authentication'],
  [new Error('WRONGPASS invalid username-password pair or user is disabled.'), 'authentication'],
  [new Error('ERR AUTH <password> called without any password configured for the default user.'), 'authentication'],
  [new Error("NOPERM User app has no permissions to run the 'evalsha' command"), 'permission'],
  [new Error("READONLY You can't write against a read only replica."), 'read-only'],
  [new Error("OOM command not allowed when used memory > 'maxmemory'."), 'out-of-memory'],
  [new UnknownReplyError(), 'not-redis'],
  [new TypeError('client.evalsha is not a function'), 'not-redis'],
  [new Error('CLUSTERDOWN The cluster is down'), 'other'],
  ['a text', 'other'],
])('%s is read as "%s"', (error, reason) => {
  expect(readFailure(error)).toBe(reason)
})
