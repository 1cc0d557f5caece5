/** The methods that the store uses of a client of `redis` (node-redis 6), also of a cluster. */
export interface NodeRedisClient extends NodeRedisScripts {
  /** Creates the connection that listens to changes. */
  readonly duplicate: () => NodeRedisSubscriber
  /** Is called with the event `end`, for that connection to end with the client. */
  readonly on: (event: string, listener: () => void) => unknown
}

interface NodeRedisScripts {
  /** Runs a script that Redis has. */
  readonly evalSha: (sha1: string, options: NodeRedisArguments) => Promise<unknown>
  /** Runs a script. */
  readonly eval: (script: string, options: NodeRedisArguments) => Promise<unknown>
}

interface NodeRedisArguments {
  readonly keys: string[]
  readonly arguments: string[]
}

/** The methods that the store uses of the duplicate of a node-redis client. */
export interface NodeRedisSubscriber {
  /** Is called with the events `error` and `ready`. */
  readonly on: (event: string, listener: (error: unknown) => void) => unknown
  /** Connects. */
  readonly connect: () => Promise<unknown>
  /** Listens to a channel. */
  readonly subscribe: (channel: string, listener: (message: string) => void) => Promise<unknown>
  /** Ends that. */
  readonly unsubscribe: (channel: string) => Promise<unknown>
  /** Closes the connection at once. */
  readonly destroy: () => void
}

/** The methods that the store uses of a client of `ioredis` (6), also of a cluster. */
export interface IoRedisClient {
  /** Runs a script that Redis has. */
  readonly evalsha: (sha1: string, keyCount: number, ...keysAndArguments: string[]) => Promise<unknown>
  /** Runs a script. */
  readonly eval: (script: string, keyCount: number, ...keysAndArguments: string[]) => Promise<unknown>
  /** Creates the connection that listens to changes. */
  readonly duplicate: () => IoRedisSubscriber
  /** ioredis adds its `keyPrefix` to keys, and not to channels. */
  readonly options?: { readonly keyPrefix?: string | undefined }
  /** Is called with the event `end`, for that connection to end with the client. */
  readonly on: (event: 'end', listener: () => void) => unknown
}

/** The methods that the store uses of the duplicate of an ioredis client. */
export interface IoRedisSubscriber {
  /** Is called with the events `error`, `ready` and `message`. */
  readonly on: (event: string, listener: (...values: string[]) => void) => unknown
  /** Listens to a channel. */
  readonly subscribe: (channel: string) => Promise<unknown>
  /** Ends that. */
  readonly unsubscribe: (channel: string) => Promise<unknown>
  /** Closes the connection at once. */
  readonly disconnect: () => void
}

export function isIoRedis(client: NodeRedisClient | IoRedisClient): client is IoRedisClient {
  return 'evalsha' in client
}
