import { setTimeout as sleep } from 'node:timers/promises'
import { type RedisServer, startRedis } from '../../redis/startRedis.ts'
import { type Proxy, startProxy } from './startProxy.ts'
import { connectObserver, type Observer } from './redisUsage.ts'
import { type FleetProcess, startProcess } from './startProcess.ts'
import { startUpstream, type Upstream, type UpstreamOptions } from './upstream.ts'
import type { Report, Work } from './Work.ts'

export interface LabOptions extends UpstreamOptions {
  readonly processes: number
  /** By how much the clocks of the processes are wrong in turn, in ms. */
  readonly clockOffsets?: readonly number[]
  /** The number of the process that reaches Redis through the proxy, or all of them. */
  readonly cutOff?: number | 'all'
  /** Whether each process has a gate of its own. */
  readonly isWithoutRedis?: boolean
  /** Whether the processes send by plain `fetch`, without a client. */
  readonly isPlain?: boolean
}

/** A fleet that has not done its work by then hangs, in ms. */
export const maxDuration = 60_000

/** A fleet, its Redis, and the service. */
export interface Lab {
  readonly processes: readonly FleetProcess[]
  readonly upstream: Upstream
  readonly redis: RedisServer
  /** What stands between the processes of `cutOff` and Redis. */
  readonly proxy: Proxy
  readonly observer: Observer
  /** Resolves when the calls of all processes are over, and after a minute at the latest. */
  readonly work: (work: Work) => Promise<void>
}

/** Opens a lab, lets `perform` work in it, and closes it. */
export async function inLab<Result>(options: LabOptions, perform: (lab: Lab) => Promise<Result>): Promise<Result> {
  const { processes: size, clockOffsets = [0], isWithoutRedis = false, isPlain = false, quota } = options
  const { cutOff } = options
  const [upstream, redis] = await Promise.all([startUpstream(options), startRedis()])
  const observer = await connectObserver(redis.url)
  const proxy = await startProxy(redis.port)
  const processes: FleetProcess[] = []
  let count = 0
  const start = async () => {
    count += 1
    const started = await startProcess({
      id: `p${count}`,
      baseUrl: upstream.baseUrl,
      plan: quota,
      processes: size,
      redisUrl: isWithoutRedis ? undefined : cutOff === 'all' || count === cutOff ? proxy.url : redis.url,
      usesIoRedis: count % 2 === 0,
      isPlain,
      clockOffset: clockOffsets[count % clockOffsets.length] ?? 0,
    })
    processes.push(started)
    return started
  }
  const work = async (each: Work) => {
    await Promise.race([
      Promise.all(processes.map((one) => one.work(each))),
      sleep(maxDuration, undefined, { ref: false }),
    ])
  }
  // Also if the benchmark is interrupted.
  const killRedis = () => void redis.kill()
  process.once('exit', killRedis)
  try {
    await Promise.all(Array.from({ length: size }, start))
    return await perform({ processes, upstream, redis, proxy, observer, work })
  } finally {
    for (const { kill } of processes) kill()
    upstream.close()
    observer.destroy()
    proxy.close()
    redis.resume()
    await redis.kill()
    process.off('exit', killRedis)
  }
}

/** What the processes that are still alive have done. */
export async function readReports({ processes }: Lab): Promise<readonly Report[]> {
  return Promise.all(processes.filter((one) => one.isRunning()).map((one) => one.report()))
}
