import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { bundleWorker } from './buildProgram.ts'

/** How a runtime starts the program. */
export interface Runtime {
  readonly name: string
  /** The path of its binary. */
  readonly binary: string
  /** The version, as the binary itself states it. */
  readonly version: () => string
  /** The entry of the program below `program`. */
  readonly entry: string
  /** The arguments that start the program. */
  readonly startArguments: (program: string) => Promise<readonly string[]>
  /** Whether the process ends once its server has closed. A worker has no end. */
  readonly ends: boolean
  /** Whether a request may wait for what another one does. */
  readonly sharesWork: boolean
}

/** Where `npm ci` puts the binaries of `package.json` beside this file. */
export const installed = 'test/runtimes/matrix/node_modules'

const versionOf = (binary: string): string => {
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  return /\d[\d.-]*/.exec(stdout)?.[0] ?? 'unknown'
}

function runtime(name: string, path: string, entry: string, args: readonly string[] = []): Runtime {
  const binary = join(installed, path)
  return {
    name,
    binary,
    version: () => versionOf(binary),
    entry,
    startArguments: (program) => Promise.resolve([...args, program]),
    ends: true,
    sharesWork: true,
  }
}

interface Worker {
  /** As `YYYY-MM-DD`; `newest`: today, or the newest that the binary knows. */
  readonly compatibilityDate: string
  readonly flags?: readonly string[]
}

function worker(name: string, { compatibilityDate, flags = [] }: Worker): Runtime {
  const binary = join(installed, '@cloudflare/workerd-linux-64/bin/workerd')
  const date = () => (compatibilityDate === 'newest' ? newestDate(binary) : compatibilityDate)
  return {
    name,
    binary,
    version: () => `${versionOf(binary)}, compatibility date ${date()}`,
    entry: 'worker',
    async startArguments(program) {
      const bundle = await bundleWorker(program)
      return ['serve', '--control-fd=1', writeConfig(bundle, date(), flags)]
    },
    ends: false,
    sharesWork: compatibilityDate === 'newest' || flags.includes(sharingFlag),
  }
}

/** Before 2024-10-14 no request may wait for what another one does, unless this flag is set. */
const sharingFlag = 'handle_cross_request_promise_resolution'

function writeConfig(script: string, date: string, flags: readonly string[]): string {
  const path = join(dirname(script), 'worker.capnp')
  const module = `(name = "worker", esModule = embed ${JSON.stringify(basename(script))})`
  writeFileSync(
    path,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${module}],
      compatibilityDate = "${date}",
      compatibilityFlags = ${JSON.stringify(flags)},
    )),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`,
  )
  return path
}

/** Today, unless the binary is too old for it. */
function newestDate(binary: string): string {
  const today = new Date().toISOString().slice(0, 10)
  const built = versionOf(binary)
  // A binary knows the dates of the week after its own.
  const last = new Date(Date.parse(built) + 7 * 24 * 60 * 60 * 1_000).toISOString().slice(0, 10)
  return today < last ? today : last
}

export const runtimes: readonly Runtime[] = [
  ...[20, 22, 24, 26].map((major) => runtime(`Node ${major}`, `node-${major}/bin/node`, 'node')),
  runtime('Bun', '@oven/bun-linux-x64/bin/bun', 'bun', ['run']),
  // It may use the network and ask whether this is development, nothing else. The flag is the coming default: without it,
  // Deno aborts the signal of a request whose response has been sent, and warns of that.
  runtime('Deno', '@deno/linux-x64-glibc/deno', 'deno', [
    'run',
    '--no-prompt',
    '--unstable-no-legacy-abort',
    '--allow-net=127.0.0.1',
    '--allow-env=NODE_ENV',
  ]),
  worker('workerd', { compatibilityDate: 'newest' }),
  worker('workerd 2023 with flag', { compatibilityDate: '2023-11-01', flags: [sharingFlag] }),
  worker('workerd 2023', { compatibilityDate: '2023-11-01' }),
]

/** Why a runtime cannot be started; `undefined` if it can. */
export function whyMissing({ binary }: Runtime): string | undefined {
  const system = `${process.platform} ${process.arch}`
  if (!existsSync(binary)) return `its package is not installed (there is one for linux x64; this is ${system})`
  const { error, status, stderr } = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  return status === 0 ? undefined : `it does not start: ${error?.message ?? stderr.trim()}`
}
