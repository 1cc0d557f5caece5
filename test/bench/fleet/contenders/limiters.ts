import { setTimeout as sleep } from 'node:timers/promises'
import Bottleneck from 'bottleneck'
import { Effect, Layer, Scope } from 'effect'
import { RateLimiter, Redis } from 'effect/persistence'
import { Redis as IoRedis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Quota } from '../upstream.ts'

/** Resolves when a call may leave. Rejects if the limiter fails. */
export type Limiter = () => Promise<void>

const key = 'demo'

function connect(url: string): IoRedis {
  return new IoRedis(url).on('error', () => {})
}

/** The limiters that an app may use in our place, by their names: each as its documentation shows it. */
export const limiters: Readonly<Record<string, (url: string, quota: Quota) => Promise<Limiter>>> = {
  'plain fetch': async () => async () => {},

  bottleneck: async (url, { limit, per }) => {
    const connection = new Bottleneck.IORedisConnection({ client: connect(url) })
    const limiter = new Bottleneck({
      id: key,
      connection,
      reservoir: limit,
      reservoirRefreshAmount: limit,
      reservoirRefreshInterval: per,
    })
    limiter.on('error', () => {})
    await limiter.ready()
    return () => limiter.schedule(async () => {})
  },

  'rate-limiter-flexible': async (url, { limit, per }) => {
    const limiter = new RateLimiterRedis({ storeClient: connect(url), points: limit, duration: per / 1_000 })
    return async () => {
      for (;;) {
        try {
          await limiter.consume(key)
          return
        } catch (error) {
          if (!(error instanceof RateLimiterRes)) throw error
          await sleep(error.msBeforeNext)
        }
      }
    }
  },

  effect: async (url, { limit, per }) => {
    const client = connect(url)
    const send = <Result>(command: string, ...args: readonly string[]) =>
      Effect.tryPromise({
        // What a command returns is for who sends it to say.
        try: () => client.call(command, ...args) as Promise<Result>,
        catch: (cause) => new Redis.RedisError({ cause }),
      })
    const unused = Effect.fail(new Redis.RedisError({ cause: 'The rate limiter does not use it.' }))
    const redis = Layer.effect(Redis.Redis, Redis.make({ send, subscribe: () => unused, connect: unused }))
    const layer = RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreRedis({})), Layer.provide(redis))
    const context = await Effect.runPromise(Effect.flatMap(Scope.make(), (scope) => Layer.buildWithScope(layer, scope)))
    const wait = RateLimiter.sleep(
      await Effect.runPromise(Effect.provide(Effect.service(RateLimiter.RateLimiter), context)),
    )
    const options = { algorithm: 'fixed-window', key, limit, window: `${per} millis` } as const
    return async () => void (await Effect.runPromise(wait(options)))
  },
}
