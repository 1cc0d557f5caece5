import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { ServerAddresses, ServerLog } from './server.ts'
import type { ServerName } from './serverNames.ts'

export interface RunningServer {
  readonly origin: string
  readonly readLog: () => Promise<ServerLog>
  readonly stop: () => Promise<void>
}

/** Starts a server in a process of its own. It ends when its standard input closes. */
export async function startServer(name: ServerName): Promise<RunningServer> {
  const child = spawn(process.execPath, ['node_modules/.strangers/server.js', name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const line = await Promise.race([
    new Promise<string>((resolve) => void createInterface(child.stdout).once('line', resolve)),
    ended.then(() => {
      throw new Error(`${name}: the server has not started.`)
    }),
  ])
  const { origin, logUrl } = JSON.parse(line) as ServerAddresses
  return {
    origin,
    readLog: async () => (await fetch(logUrl)).json(),
    stop: () => {
      child.stdin.end()
      return ended
    },
  }
}
