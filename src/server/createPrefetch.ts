import { ResponseValidationError } from '../client/errors.ts'
import { type PrefetchedQueries, preparedData } from '../client/prefetchQuery.ts'
import { parseText } from '../client/steps/parseResponse.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { Clock } from '../base/Clock.ts'
import { type AuthorizationOptions, authorizeVisitor, identifyUser, type VisitorKeys } from './visitors.ts'
import { readRequestId } from './requestOrigin.ts'
import type { VisitorCall, VisitorResponse } from './serviceCaller.ts'

/** The options of a handler's `prefetch`. */
export interface HandlerPrefetchOptions<Input> {
  /** The visitor: the request for the page, which `authorize` is asked about, or the id of the user. */
  readonly user: Request | string
  /** The operation's input. */
  readonly input?: Input | undefined
  /** The `scope` of the provider that shows the data. Default: that of the handler's options, or else the id of the user. */
  readonly scope?: string | undefined
  /** Cancels the call. Default: the signal of the visitor's request. */
  readonly signal?: AbortSignal | undefined
}

/** Prepares the response to an operation for the page of a visitor. */
export type PrefetchForVisitor = <Input, Output>(
  operation: Operation<Input, Output>,
  options: HandlerPrefetchOptions<NoInfer<Input>>,
) => Promise<PrefetchedQueries>

interface PrefetchParts {
  readonly callService: (call: VisitorCall) => Promise<VisitorResponse>
  readonly authorization: AuthorizationOptions
  readonly keys: VisitorKeys
  readonly clock: Clock
  readonly scope: string | undefined
}

export function createPrefetch(parts: PrefetchParts): PrefetchForVisitor {
  const { callService, authorization, keys, clock } = parts
  return async (operation, { user: visitor, input, scope: givenScope = parts.scope, signal }) => {
    const context = { operation: operation.name, attempts: 0, method: operation.method, replay: operation.replay }
    const user =
      typeof visitor === 'string'
        ? identifyUser(visitor, authorization)
        : await authorizeVisitor(visitor, operation, authorization)
    const scope = givenScope ?? user
    const callSignal = signal ?? (typeof visitor === 'string' ? new AbortController().signal : visitor.signal)
    const { text, age = 0 } = await callService({
      operation,
      input,
      user,
      key: await keys.readForVisitor(context),
      priority: 'user',
      signal: callSignal,
      requestId: typeof visitor === 'string' ? undefined : readRequestId(visitor),
      waitUntil: () => {}, // `prefetch` has no `HandlerContext`: a machine that sleeps may cut off a background reload
    })
    const loadedAt = clock.now() - age
    const result = await parseText(operation, text)
    if (!result || result.issues) throw new ResponseValidationError(context, result?.issues ?? [])
    return preparedData(scope, operation, input, result.value, loadedAt)
  }
}
