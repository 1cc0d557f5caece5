import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../startServer.ts'

const running = new Set<ChildProcess>()

/** `detached` gives each program its own process group, so that programs started by npm end with it. */
function start(command: string, args: readonly string[], options: SpawnOptions) {
  const program = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(program)
  const chunks: string[] = []
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (chunk) => chunks.push(String(chunk)))
  const describe = () => `${[command, ...args].join(' ')}\n${chunks.join('')}`
  return { program, chunks, describe }
}

/** Ends all running programs with their process groups. */
export function endPrograms(): void {
  for (const { pid, exitCode } of running) {
    if (pid !== undefined && exitCode === null) process.kill(-pid)
  }
  running.clear()
}

/** Runs a program to its end and returns its output. If it fails, the error contains the output. */
export async function runProgram(command: string, args: readonly string[], options: SpawnOptions): Promise<string> {
  const { program, chunks, describe } = start(command, args, options)
  const [code] = await once(program, 'close')
  running.delete(program)
  if (code !== 0) throw new Error(describe())
  return chunks.join('')
}

/** Starts a program that serves pages on the port given by `--port` or `PORT`. Returns its address once it responds. */
export async function serveProgram(command: string, args: readonly string[], options: SpawnOptions): Promise<string> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const env = { ...process.env, ...options.env, PORT: String(port) }
  const { program, describe } = start(command, [...args, '--port', String(port)], { ...options, env })
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
    if (program.exitCode !== null) break
    if (await isOpen(port)) return url
  }
  throw new Error(`Nothing responds on ${url}: ${describe()}`)
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
