import { createClient } from 'redis'

/** What Redis has done so far. */
export interface RedisUsage {
  /** In both directions. */
  readonly bytes: number
  /** How often each command ran, those inside of scripts included. */
  readonly commands: Readonly<Record<string, number>>
}

/** Connects the benchmark itself. */
export function connectObserver(url: string) {
  return createClient({ url })
    .on('error', () => {})
    .connect()
}

export type Observer = Awaited<ReturnType<typeof connectObserver>>

export async function readUsage(client: Observer): Promise<RedisUsage> {
  const stats = fields(await client.info('stats'))
  const commands = Object.entries(fields(await client.info('commandstats'))).map(
    ([name, value]) => [name.replace('cmdstat_', ''), Number(/calls=(\d+)/.exec(value)?.[1])] as const,
  )
  return {
    bytes: Number(stats['total_net_input_bytes']) + Number(stats['total_net_output_bytes']),
    commands: Object.fromEntries(commands),
  }
}

/** The memory of all keys, in bytes. */
export async function readSize(client: Observer): Promise<number> {
  const keys = await client.keys('*')
  const sizes = await Promise.all(keys.map((key) => client.memoryUsage(key)))
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}

/** The lines of `INFO`. */
function fields(info: string): Record<string, string> {
  const lines = info.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(':')
    return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)] as const] : []
  })
  return Object.fromEntries(lines)
}
