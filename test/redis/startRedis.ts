import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../startServer.ts'

/** Whether `redis-server` is on this machine. On Debian, `apt-get install redis-server` brings it. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

// `.ci/run` sets the variable, so that it skips no test of Redis.
if (!hasRedis && process.env['REDIS_REQUIRED']) {
  throw new Error('redis-server is missing. Install the Debian package redis-server: apt-get install redis-server')
}

/** A Redis server in a process of its own, which keeps nothing on disk. */
export interface RedisServer {
  readonly port: number
  readonly url: string
  /** Ends the server at once, as a power cut would. All data is lost. */
  readonly kill: () => Promise<void>
  /** Stops the process without closing its connections: requests get no response until `resume`. */
  readonly pause: () => void
  readonly resume: () => void
  /** Starts the server again on the same port, without data. */
  readonly restart: () => Promise<void>
}

/** Starts a Redis server on a free port. `options` are settings of `redis.conf`, such as `maxmemory`. */
export async function startRedis(options: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  const port = await freePort()
  let server = await launch(port, options)

  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return
      const exited = once(server, 'exit')
      server.kill('SIGKILL')
      await exited
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    restart: async () => {
      server = await launch(port, options)
    },
  }
}

async function launch(port: number, options: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const settings = { port: String(port), bind: '127.0.0.1', save: '', appendonly: 'no', ...options }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    let output = ''
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Ready to accept connections')) resolve()
    })
    server.once('exit', () => reject(new Error(`redis-server did not start:\n${output}`)))
  })
  return server
}
