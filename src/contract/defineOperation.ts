import type { StandardSchemaV1 } from '@standard-schema/spec'
import { checkOption, isDevelopment } from '../base/development.ts'

/** An operation of the service: everything that the client, the hooks and the in-memory service know about it. */
export interface Operation<Input = unknown, Output = unknown> {
  /** Unique among operations. Part of cache keys, errors and events. */
  readonly name: string
  /** The HTTP method. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the base address. `{field}` is replaced by the input's field of that name, percent-encoded. */
  readonly path: `/${string}`
  /** The base address: the service's, which ends with `/v1`, or the separate one of the quickstart request. */
  readonly base: 'service' | 'quickstart'
  /**
   * Checks the input before anything is sent. Fields that the path does not take become the JSON body (POST, PUT, PATCH)
   * or the query string (GET, DELETE). Leave it out for an operation without input.
   */
  readonly input?: StandardSchemaV1<Input, unknown>
  /** Turns the response's JSON body, with exact int64 values, into the result. */
  readonly output: StandardSchemaV1<unknown, Output>
  /** The documented success statuses, or `any-2xx` where the interface document states none. */
  readonly success: readonly number[] | 'any-2xx'
  /**
   * `safe`: may be sent again after any failure. `only-if-refused`: sent again only if the service certainly did nothing
   * (429; 401 with a fresh key), because a request may have been carried out even if its response was lost.
   */
  readonly replay: 'safe' | 'only-if-refused'
  /** The service's stability marker, if known. */
  readonly stability?: 'experimental' | 'beta'
  /** The first call logs a warning in development, with the sunset date if the service sends one. */
  readonly deprecated?: boolean
}

/** The argument of `defineOperation`: an operation of which only `name`, `path` and `output` are required. */
export type OperationDefinition<Input, Output, Path = Operation['path']> = Pick<
  Operation<Input, Output>,
  'name' | 'output'
> &
  Partial<Omit<Operation<Input, Output>, 'path'>> & {
    /** Path below the base address. `{field}` is replaced by the input's field of that name, percent-encoded. */
    readonly path: Path
  }

type PathField<Path> = Path extends `${string}{${infer Field}}${infer Rest}` ? Field | PathField<Rest> : never

/** `unknown` (no further demand) if `Input` has every field of the path. Else a type that no definition satisfies. */
type MissingFields<Path, Input> = unknown extends Input
  ? unknown
  : [Exclude<PathField<Path>, keyof Input>] extends [never]
    ? unknown
    : {
        /** TypeScript quotes this text in its error. */
        readonly input: `The input has no field "${Exclude<PathField<Path>, keyof Input>}", which the path needs.`
      }

/**
 * Defines an operation for `client.call`, `usePetstoreQuery` and `usePetstoreMutation`. Defaults: method `GET`, base
 * `service`, success `any-2xx`, replay `safe` for GET and `only-if-refused` for other methods.
 *
 * @throws TypeError when the name or the path cannot be used; in development also for an unknown base or an invalid schema
 */
export function defineOperation<Output, Input = undefined, const Path extends `/${string}` = `/${string}`>(
  definition: OperationDefinition<Input, Output, Path> & MissingFields<Path, NoInfer<Input>>,
): Operation<Input, Output>
export function defineOperation<Input, Output>(
  definition: OperationDefinition<Input, Output>,
): Operation<Input, Output> {
  const { name, path, method = 'GET', base = 'service', success = 'any-2xx' } = definition
  const { replay = method === 'GET' ? 'safe' : 'only-if-refused' } = definition
  checkOption(name !== '', 'An operation', isDevelopment && 'needs a name.')
  checkOption(
    /^\/(?!\/)[^?#\\\t\n\r]*$/.test(path) && !/\/(?:\.|%2e)+(?:\/|$)/i.test(path),
    `The path of ${name}`,
    isDevelopment && `must start with one "/" and hold no "?", "#", "\\", tab, line break or dot segment: "${path}".`,
  )
  if (isDevelopment && process.env.NODE_ENV !== 'production') {
    const isKnown = base === 'service' || base === 'quickstart'
    checkOption(isKnown, `The base of ${name}`, `must be "service" or "quickstart": "${base}".`)
    checkSchema(`The output of ${name}`, definition.output)
    if (definition.input !== undefined) checkSchema(`The input of ${name}`, definition.input)
  }
  // The defaults come last: a field of the definition that is present but `undefined` must not replace them.
  return Object.freeze({ ...definition, method, base, success, replay })
}

/** @throws TypeError if a value from code without types is no Standard Schema */
function checkSchema(what: string, schema: unknown): void {
  const { '~standard': standard }: { readonly '~standard'?: unknown } = Object(schema)
  const advice = 'must be a Standard Schema, such as z.object({ … }) of Zod, or z.unknown().'
  checkOption(standard !== undefined, what, advice)
}

/**
 * Refuses an operation as a query unless it is `safe` to replay: queries are sent again automatically.
 *
 * @throws TypeError that says to use `instead`
 */
export function requireSafe({ name, replay }: Operation, instead: string): void {
  const advice = isDevelopment && `changes something, and queries are sent again automatically: use ${instead}.`
  checkOption(replay === 'safe', name, advice)
}
