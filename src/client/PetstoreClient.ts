import type { Category, NewCategory } from '../contract/category.ts'
import type { Operation } from '../contract/defineOperation.ts'
import type { Message, NewMessage } from '../contract/message.ts'
import type { Priority } from '../rate-limit/gate.ts'
import type { ClientRateLimit } from './clientRateLimit.ts'

/** Options of a single call. */
export interface CallOptions {
  /** Cancels the call, which then rejects with the signal's reason (by default an `AbortError`). */
  readonly signal?: AbortSignal | undefined
  /** Default `user`. `background` lets people go first and leaves them a tenth of the quota. */
  readonly priority?: Priority | undefined
  /**
   * Told until when the rate limit holds the call back, in epoch ms, whenever that becomes later; with `undefined` when
   * the wait is over and the request leaves.
   */
  readonly onWait?: ((until: number | undefined) => void) | undefined
}

/** The arguments after the operation: its input may be left out where it takes none. */
export type CallArguments<Input> = undefined extends Input
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions]

/** A client for one service under one key. Every method rejects with a `PetstoreError`, or an `AbortError`. */
export interface PetstoreClient {
  /** All categories, as the service orders them. */
  readonly listCategories: (options?: CallOptions) => Promise<readonly Category[]>
  /** Creates a category; the service assigns its id. */
  readonly createCategory: (newCategory: NewCategory, options?: CallOptions) => Promise<Category>
  /** Sends a message. The result says how it was taken: `queued` is not delivered. */
  readonly sendMessage: (newMessage: NewMessage, options?: CallOptions) => Promise<Message>
  /** Any operation, also your own (`defineOperation`). Identical GETs at the same time share one request. */
  readonly call: <Input, Output>(
    operation: Operation<Input, Output>,
    ...rest: CallArguments<NoInfer<Input>>
  ) => Promise<Output>
  /** What is known of the key's quota. */
  readonly rateLimit: ClientRateLimit
  /** The part of the SWR cache that is this client's. */
  readonly cacheScope: string
  /** Cancels all that is under way. The client can still be used: the next call opens it again. */
  readonly close: () => void
}
