import { type IoRedisClient, isIoRedis, type NodeRedisClient } from './redisClients.ts'

/** How long a channel stays open after its last listener has gone, in ms: the next one may come soon. */
const lingerTime = 10_000

/** The channels that a store listens to, over one connection. */
interface RedisChannels {
  /** Opens the connection and the channel, unless they are open. */
  readonly join: (channel: string) => void
  readonly leave: (channel: string) => void
}

interface ChannelCallbacks {
  readonly onMessage: (channel: string, message: string) => void
  /** Called when messages may have been missed. */
  readonly onGap: (channel: string) => void
  readonly onError: (error: unknown) => void
}

export function createRedisChannels(
  client: NodeRedisClient | IoRedisClient,
  { onMessage, onGap, onError }: ChannelCallbacks,
): RedisChannels {
  const joined = new Set<string>()
  /** Those of them whose messages arrive: before that there is no gap. */
  const subscribed = new Set<string>()
  let subscriber: Promise<RedisSubscriber> | undefined
  const leaving = new Map<string, ReturnType<typeof setTimeout>>()

  // Else its open connection would keep the process alive that has closed the client.
  client.on('end', close)

  function close(): void {
    for (const timer of leaving.values()) clearTimeout(timer)
    leaving.clear()
    joined.clear()
    subscribed.clear()
    const closing = subscriber
    subscriber = undefined
    void closing?.then((one) => one.close()).catch(() => {})
  }

  function open(): Promise<RedisSubscriber> {
    const opening = openRedisSubscriber(client, { onMessage, onError, onReady: () => subscribed.forEach(onGap) })
    subscriber = opening
    opening.catch(() => {
      if (subscriber === opening) subscriber = undefined
    })
    return opening
  }

  async function listen(channel: string): Promise<void> {
    const current = await (subscriber ?? open())
    if (!joined.has(channel)) return
    await current.subscribe(channel)
    if (joined.has(channel)) subscribed.add(channel)
    onGap(channel)
  }

  return {
    join: (channel) => {
      clearTimeout(leaving.get(channel))
      leaving.delete(channel)
      if (joined.has(channel) && subscriber) return
      joined.add(channel)
      // Without messages, each update still reads the newest record.
      listen(channel).catch(() => {})
    },
    leave: (channel) => {
      clearTimeout(leaving.get(channel))
      leaving.set(
        channel,
        setTimeout(() => {
          leaving.delete(channel)
          joined.delete(channel)
          subscribed.delete(channel)
          if (joined.size === 0) close()
          else void subscriber?.then((one) => one.unsubscribe(channel)).catch(() => {})
        }, lingerTime),
      )
    },
  }
}

/** A connection to Redis that listens to channels. It reconnects by itself. */
interface RedisSubscriber {
  readonly subscribe: (channel: string) => Promise<unknown>
  readonly unsubscribe: (channel: string) => Promise<unknown>
  readonly close: () => void
}

interface SubscriberCallbacks {
  readonly onMessage: (channel: string, message: string) => void
  /** Called when it is connected, also again: messages may have been missed. */
  readonly onReady: () => void
  readonly onError: (error: unknown) => void
}

/** Opens a connection of its own: one that listens may send no other commands. */
async function openRedisSubscriber(
  client: NodeRedisClient | IoRedisClient,
  { onMessage, onReady, onError }: SubscriberCallbacks,
): Promise<RedisSubscriber> {
  if (isIoRedis(client)) {
    const duplicate = client.duplicate()
    // The script publishes under the name of the key, which ioredis has prefixed.
    const prefix = client.options?.keyPrefix ?? ''
    duplicate.on('error', onError)
    duplicate.on('ready', onReady)
    duplicate.on('message', (channel = '', message = '') => onMessage(channel.slice(prefix.length), message))
    return {
      subscribe: (channel) => duplicate.subscribe(prefix + channel),
      unsubscribe: (channel) => duplicate.unsubscribe(prefix + channel),
      close: () => duplicate.disconnect(),
    }
  }
  const duplicate = client.duplicate()
  duplicate.on('error', onError)
  duplicate.on('ready', onReady)
  await duplicate.connect()
  return {
    subscribe: (channel) => duplicate.subscribe(channel, (message) => onMessage(channel, message)),
    unsubscribe: (channel) => duplicate.unsubscribe(channel),
    close: () => duplicate.destroy(),
  }
}
