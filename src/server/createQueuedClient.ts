import { type KeyedClient, operationMethods } from '../client/createPetstoreClient.ts'
import type { CallArguments, KeyedCallOptions, PetstoreClient } from '../client/PetstoreClient.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { OnWait } from '../rate-limit/Wait.ts'
import { callIdentity } from './callIdentity.ts'
import type { FairQueue } from './fairQueue.ts'
import type { User } from './userShares.ts'
import type { VisitorKey, VisitorKeys } from './visitors.ts'

/** A client whose calls go through the queue. */
export interface QueuedClient {
  /** For the server's own calls. `scope` names the user whose share they use. */
  readonly client: PetstoreClient
  /** `client.call`, with the share of a user and the key of a visitor. */
  readonly callFor: (user: User, key: VisitorKey) => PetstoreClient['call']
}

/** @param keys - reads the key of the server's own calls */
export function createQueuedClient(
  client: KeyedClient,
  keys: Pick<VisitorKeys, 'read'>,
  queue: FairQueue,
): QueuedClient {
  const schemaIds = new WeakMap<object, number>()
  let schemas = 0

  /** The client joins identical GETs of one key under way if they have one schema, too. */
  async function groupOf(
    operation: Operation,
    input: unknown,
    scope: string | undefined,
    keyId: string,
  ): Promise<string | undefined> {
    if (operation.method !== 'GET') return undefined
    const identity = await callIdentity(operation, input, scope, keyId)
    if (identity === undefined) return undefined
    const id = schemaIds.get(operation.output) ?? schemas++
    schemaIds.set(operation.output, id)
    return `${id} ${identity}`
  }

  async function call<Input, Output>(
    user: User,
    { key, id }: VisitorKey,
    operation: Operation<Input, Output>,
    ...[input, options = {}]: CallArguments<Input>
  ): Promise<Output> {
    const { name, method, replay } = operation
    const { signal, priority = 'user', scope, onWait } = options
    const group = await groupOf(operation, input, scope, id)
    const context = { operation: name, attempts: 0, method, replay }
    return queue.run({ user, priority, signal, group, context }, (reportWait) => {
      const reportBoth: OnWait = (...wait) => {
        reportWait(...wait)
        onWait?.(...wait)
      }
      // The same input, which TypeScript can no longer tell for an unknown operation.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const rest = [input, { ...options, onWait: reportBoth, key }] as unknown as CallArguments<Input, KeyedCallOptions>
      return client.call<Input, Output>(operation, ...rest)
    })
  }

  const callFor =
    (user: User, key: VisitorKey): PetstoreClient['call'] =>
    (operation, ...rest) =>
      call(user, key, operation, ...rest)
  const callOfServer: PetstoreClient['call'] = async (operation, ...rest) => {
    const key = await keys.read({ operation: operation.name, attempts: 0 })
    return call(rest[1]?.scope, key, operation, ...rest)
  }
  const close = () => {
    queue.close()
    client.close()
  }
  return { callFor, client: { ...client, ...operationMethods(callOfServer), call: callOfServer, close } }
}
