import type { CallSignal } from '../base/abort.ts'
import { createListeners, type Listeners } from '../base/listeners.ts'
import { oncePerObject } from '../base/oncePerObject.ts'
import type { Operation } from '../contract/defineOperation.ts'
import { documentedOperations } from '../contract/operations.ts'
import type { Priority } from '../rate-limit/gate.ts'
import type { CallWait } from '../rate-limit/pendingRequest.ts'
import type { Call } from './Call.ts'
import type { ClientRateLimit } from './clientRateLimit.ts'
import type { PetstoreEvent } from './PetstoreEvent.ts'

/** Options of a single call. */
export interface CallOptions {
  /**
   * Cancels the call, which rejects with the signal's reason (an `AbortError` by default) at once. A request that has
   * left counts as spent. It is aborted once the head of its response has come, which may be a 429, or after a second.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Default `user`. A `background` call lets `user` calls go first, and leaves them a tenth of the quota until ten
   * seconds before the window ends.
   */
  readonly priority?: Priority | undefined
  /**
   * Whose call this is, where one client works for several users whose responses could differ: identical GETs of
   * different scopes share neither a request nor a response. Default: all calls are of the same scope.
   */
  readonly scope?: string | undefined
  /**
   * How long this call may wait in total, in ms. Default: `retry.maxWait` of the client. `Infinity` is allowed. For
   * callers that share a request, the `maxWait` of the first one counts.
   */
  readonly maxWait?: number | undefined
  /**
   * Called when the call has to wait, and again when its time or reason changes. Called with `undefined` when the call
   * leaves, also where it did not wait.
   */
  readonly onWait?: ((wait: CallWait | undefined) => void) | undefined
}

/** The arguments after the operation. The input is optional where the operation takes none. */
export type CallArguments<Input, Options = CallOptions> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options]

/** Options of a call that a server makes for one of its users. Not public. */
export interface KeyedCallOptions extends Omit<CallOptions, 'signal'>, Pick<Call, 'key' | 'userId' | 'headers'> {
  readonly signal?: CallSignal | undefined
}

/** One method for each operation whose payload the interface document shows, documented at its entry in the table. */
export type OperationMethods = {
  readonly [Name in keyof typeof documentedOperations]: OperationMethod<(typeof documentedOperations)[Name]>
}

type OperationMethod<Documented> =
  Documented extends Operation<infer Input, infer Output>
    ? undefined extends Input
      ? (options?: CallOptions) => Promise<Output>
      : (input: Input, options?: CallOptions) => Promise<Output>
    : never

/** One method for each documented operation: `(input, options)`, or `(options)` where it takes no input. */
export function operationMethods(call: PetstoreClient['call']): OperationMethods {
  const methods = Object.values<Operation>(documentedOperations).map((operation) => [
    operation.name,
    operation.input
      ? (input: unknown, options?: CallOptions) => call(operation, input, options)
      : (options?: CallOptions) => call(operation, undefined, options),
  ])
  // TypeScript cannot follow the names through `fromEntries`; `calls.test-d.ts` and `exchanges.test.ts` check them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(methods) as OperationMethods
}

/** A client for one service and key. Every method rejects with a `PetstoreError`, or an `AbortError` when canceled. */
export interface PetstoreClient extends OperationMethods, Caller<CallOptions> {
  /**
   * Sends the requests of code that is not of this package, such as a generated client: with the key, through the gate.
   * Resolves with the response, whatever its status, and rejects as `call` does if there is none. Goes only to the
   * configured addresses, and sends nothing twice but a GET that got no response. Bodies pass unchanged.
   * `priority: 'low'` is `background`.
   */
  readonly fetch: typeof globalThis.fetch
  /** The current quota of the key. */
  readonly rateLimit: ClientRateLimit
  /** Calls `listener` with each event that `onEvent` gets, until the returned function is called. */
  readonly subscribe: (listener: (event: PetstoreEvent) => void) => () => void
  /** Whether the client has an API key. If not, your server's handler adds it, and a 401 means a signed-out visitor. */
  readonly hasApiKey: boolean
  /** The client's scope in the SWR cache. */
  readonly scope: string
  /**
   * Forgets the user, as after a sign-out: cancels all calls under way and drops the kept responses. Hooks and components
   * drop the data and drafts of the user, in all tabs of the scope. The request limit stays: it is the key's.
   */
  readonly clear: () => void
  /** Cancels all calls under way, and aborts their requests at once. The client stays usable: the next call opens it again. */
  readonly close: () => void
}

/** The `call` of a client, with the options of apps (`CallOptions`) or those of the handler (`KeyedCallOptions`). */
export interface Caller<Options> {
  /** Calls any operation, also your own (`defineOperation`). Identical GETs under way share one request. */
  readonly call: <Input, Output>(
    operation: Operation<Input, Output>,
    ...rest: CallArguments<NoInfer<Input>, Options>
  ) => Promise<Output>
}

/** `client.call` for code in which `Input` is a type parameter. `input` is `undefined` if the operation takes none. */
export function callOperation<Input, Output, Options = CallOptions>(
  client: Caller<Options>,
  operation: Operation<Input, Output>,
  input: Input | undefined,
  options: Options,
): Promise<Output> {
  // Both forms of `CallArguments` start with the input, which TypeScript cannot see while `Input` is a type parameter.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return client.call(operation, ...([input, options] as unknown as CallArguments<Input, Options>))
}

/** Keyed by `rateLimit`, which is the same object in copies of a client, such as `{ ...client, call }`. */
const clearListenersOf = /* @__PURE__ */ oncePerObject<PetstoreClient['rateLimit'], Listeners<void>>(createListeners)

/** Calls `listener` when `client.clear()` is called, until the returned function is called. */
export function onClear({ rateLimit }: Pick<PetstoreClient, 'rateLimit'>, listener: () => void): () => void {
  return clearListenersOf(rateLimit).add(listener)
}

export function notifyCleared(rateLimit: PetstoreClient['rateLimit']): void {
  clearListenersOf(rateLimit).call()
}
