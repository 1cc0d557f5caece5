import { operationMethods } from '../client/createPetstoreClient.ts'
import type { CallArguments, PetstoreClient } from '../client/PetstoreClient.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { OnWait } from '../rate-limit/Wait.ts'
import { callIdentity } from './callIdentity.ts'
import type { FairQueue } from './fairQueue.ts'
import type { User } from './userShares.ts'

/** A client whose calls go through the queue. */
export interface QueuedClient {
  /** For the server's own calls. `scope` names the user whose share they use. */
  readonly client: PetstoreClient
  /** `client.call`, with the share of a user. */
  readonly callFor: (user: User) => PetstoreClient['call']
}

export function createQueuedClient(client: PetstoreClient, queue: FairQueue): QueuedClient {
  const schemaIds = new WeakMap<object, number>()
  let schemas = 0

  /** The client joins identical GETs under way if they have one schema, too. */
  async function groupOf(operation: Operation, input: unknown, scope: string | undefined): Promise<string | undefined> {
    if (operation.method !== 'GET') return undefined
    const identity = await callIdentity(operation, input, scope)
    if (identity === undefined) return undefined
    const id = schemaIds.get(operation.output) ?? schemas++
    schemaIds.set(operation.output, id)
    return `${id} ${identity}`
  }

  async function call<Input, Output>(
    user: User,
    operation: Operation<Input, Output>,
    ...[input, options = {}]: CallArguments<Input>
  ): Promise<Output> {
    const { name, method, replay } = operation
    const { signal, priority = 'user', scope, onWait } = options
    const group = await groupOf(operation, input, scope)
    const context = { operation: name, attempts: 0, method, replay }
    return queue.run({ user, priority, signal, group, context }, (reportWait) => {
      const reportBoth: OnWait = (...wait) => {
        reportWait(...wait)
        onWait?.(...wait)
      }
      // The same input, which TypeScript can no longer tell for an unknown operation.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const rest = [input, { ...options, onWait: reportBoth }] as unknown as CallArguments<Input>
      return client.call<Input, Output>(operation, ...rest)
    })
  }

  const callFor =
    (user: User): PetstoreClient['call'] =>
    (operation, ...rest) =>
      call(user, operation, ...rest)
  const callOfServer: PetstoreClient['call'] = (operation, ...rest) => call(rest[1]?.scope, operation, ...rest)
  const close = () => {
    queue.close()
    client.close()
  }
  return { callFor, client: { ...client, ...operationMethods(callOfServer), call: callOfServer, close } }
}
