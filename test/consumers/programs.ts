import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const running = new Set<ChildProcess>()

/** Each program leads a group of its own, so that what npm starts ends with it. */
function start(command: string, args: readonly string[], options: SpawnOptions) {
  const program = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(program)
  const chunks: string[] = []
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (chunk) => chunks.push(String(chunk)))
  const described = () => `${[command, ...args].join(' ')}\n${chunks.join('')}`
  return { program, chunks, described }
}

/** Ends what is still running, with all that it started. */
export function endPrograms(): void {
  for (const { pid, exitCode } of running) {
    if (pid !== undefined && exitCode === null) process.kill(-pid)
  }
  running.clear()
}

/** Runs a program to its end, and gives what it printed. Rejects with that when it fails. */
export async function runProgram(command: string, args: readonly string[], options: SpawnOptions): Promise<string> {
  const { program, chunks, described } = start(command, args, options)
  const [code] = await once(program, 'close')
  running.delete(program)
  if (code !== 0) throw new Error(described())
  return chunks.join('')
}

/** Starts a program that serves pages on the port named by `--port`. Resolves to its address once it responses. */
export async function serveProgram(command: string, args: readonly string[], options: SpawnOptions): Promise<string> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const { program, described } = start(command, [...args, '--port', String(port)], options)
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
    if (program.exitCode !== null) break
    if (await isOpen(port)) return url
  }
  throw new Error(`Nothing responses on ${url}: ${described()}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
