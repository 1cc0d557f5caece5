import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isDevelopment, configError } from './configError.ts'

/** One operation of the service: all that the client, the hooks and the in-memory service know about it. */
export interface Operation<Input = unknown, Output = unknown> {
  /** Unique among operations: part of cache keys, errors and events. */
  readonly name: string
  /** The HTTP method. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the base address. `{field}` stands for the input's field of that name, percent-encoded. */
  readonly path: `/${string}`
  /** The address it stands under: the service's (ends with `/v1`) or the separate one of the quickstart request. */
  readonly base: 'service' | 'quickstart'
  /**
   * Checks what the caller hands in, before anything is sent. Fields that the path does not take make up the JSON body
   * (POST, PUT, PATCH) or the query string (GET, DELETE). Left out by an operation that takes nothing.
   */
  readonly input?: StandardSchemaV1<Input, unknown>
  /** Checks the response's JSON body, as read by `parseExactJson`, and gives the result. */
  readonly output: StandardSchemaV1<unknown, Output>
  /** The documented success statuses; `any-2xx` where the document states none. */
  readonly success: readonly number[] | 'any-2xx'
  /**
   * `safe`: may be sent again after any failure. `only-if-refused`: sent again only when the service certainly did
   * nothing (429; 401 with a fresh key), since a lost response may hide work that was done.
   */
  readonly replay: 'safe' | 'only-if-refused'
  /** The service's stability marker, where known. */
  readonly stability?: 'experimental' | 'beta'
  /** Told once in development when it is called, with the sunset date where the service sends one. */
  readonly deprecated?: boolean
}

/** What `defineOperation` takes: an operation whose parts with a usual value may be left out. */
export type OperationDefinition<Input, Output> = Pick<Operation<Input, Output>, 'name' | 'path' | 'output'> &
  Partial<Operation<Input, Output>>

/**
 * Describes an operation for `client.call`, `usePetstoreQuery` and `usePetstoreMutation`. Usual values: method `GET`,
 * base `service`, success `any-2xx`, replay `safe` for GET and `only-if-refused` for the rest.
 *
 * @throws TypeError when the name or path cannot be used.
 */
export function defineOperation<Output, Input = undefined>(
  definition: OperationDefinition<Input, Output>,
): Operation<Input, Output> {
  const { name, path, method = 'GET', base = 'service', success = 'any-2xx' } = definition
  const { replay = method === 'GET' ? 'safe' : 'only-if-refused' } = definition
  if (name === '') throw configError('An operation', isDevelopment && 'needs a name.')
  if (!path.startsWith('/') || path.startsWith('//') || /[?#\\]/.test(path)) {
    throw configError(
      `The path of ${name}`,
      isDevelopment && `must start with one "/" and hold no "?", "#" or "\\": "${path}".`,
    )
  }
  // Last, since a value may be given as `undefined`.
  return Object.freeze({ ...definition, method, base, success, replay })
}
