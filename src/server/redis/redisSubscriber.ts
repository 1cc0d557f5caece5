import type { IoRedisClient, NodeRedisClient } from './redisClients.ts'
import { isIoRedis } from './redisScript.ts'

/** A connection to Redis that listens to channels. It reconnects by itself. */
export interface RedisSubscriber {
  readonly subscribe: (channel: string) => Promise<unknown>
  readonly unsubscribe: (channel: string) => Promise<unknown>
  readonly close: () => void
}

export interface SubscriberCallbacks {
  readonly onMessage: (channel: string, message: string) => void
  /** Called when it is connected, also again: messages may have been missed. */
  readonly onReady: () => void
}

/** Opens a connection of its own: one that listens may send no other commands. */
export async function openRedisSubscriber(
  client: NodeRedisClient | IoRedisClient,
  { onMessage, onReady }: SubscriberCallbacks,
): Promise<RedisSubscriber> {
  const ignore = () => {} // the client of the app reports that Redis is away
  if (isIoRedis(client)) {
    const duplicate = client.duplicate()
    // The script publishes under the name of the key, which ioredis has prefixed.
    const prefix = client.options?.keyPrefix ?? ''
    duplicate.on('error', ignore)
    duplicate.on('ready', onReady)
    duplicate.on('message', (channel = '', message = '') => onMessage(channel.slice(prefix.length), message))
    return {
      subscribe: (channel) => duplicate.subscribe(prefix + channel),
      unsubscribe: (channel) => duplicate.unsubscribe(prefix + channel),
      close: () => duplicate.disconnect(),
    }
  }
  const duplicate = client.duplicate()
  duplicate.on('error', ignore)
  duplicate.on('ready', onReady)
  await duplicate.connect()
  return {
    subscribe: (channel) => duplicate.subscribe(channel, (message) => onMessage(channel, message)),
    unsubscribe: (channel) => duplicate.unsubscribe(channel),
    close: () => duplicate.destroy(),
  }
}
