import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { listen } from '../../src/testing/node.ts'
import { createPetstoreService } from '../../src/testing.ts'

// The real program in its own process, bundled into one file so that Node runs it without a build of the package.
let folder = ''
let program = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-service-'))
  program = join(folder, 'cli.mjs')
  const entry = join(import.meta.dirname, '../../src/testing/cli.ts')
  await build({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'esm' })
})
afterAll(() => rm(folder, { recursive: true }))

const running: (() => void)[] = []
afterEach(() => {
  for (const kill of running.splice(0)) kill()
})

function run(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(() => child.kill('SIGKILL'))
  let output = ''
  const started = new Promise<string>((resolve) => {
    child.stdout.on('data', (text) => {
      output += text
      if (output.includes('Ctrl+C')) resolve(output)
    })
  })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const ended = new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output, errors }))
  })
  return { child, started, ended }
}

/** Starts the program on a free port. Returns its output and a way to send requests. */
async function start(...args: readonly string[]) {
  const { child, started, ended } = run('--port', '0', ...args)
  const output = await Promise.race([started, ended.then(({ errors }) => Promise.reject(new Error(errors)))])
  const baseUrl = /^Base URL +(\S+)$/m.exec(output)?.[1] ?? ''
  const list = (key = 'demo') => fetch(`${baseUrl}/categories`, { headers: { Authorization: `Bearer ${key}` } })
  return { child, ended, output, baseUrl, list }
}

function splitHeader(header: string): [string, string] {
  const colon = header.indexOf(': ')
  return [header.slice(0, colon), header.slice(colon + 2)]
}

/** Sends a printed curl command with fetch: address, headers and body. */
async function runCurl(line: string) {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '')
  const after = (flag: string) => words.filter((_, index) => words[index - 1] === flag)
  const headers = new Headers()
  for (const header of after('-H')) headers.append(...splitHeader(header))
  const [body] = after('-d')
  return fetch(words[2] ?? '', { headers, ...(body !== undefined && { method: 'POST', body }) })
}

test('prints the addresses, the key and requests that work', async () => {
  const { output, baseUrl } = await start()
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  expect(output).toMatch(/^Quickstart URL +http:\S+\/quickstart$/m)
  expect(output).toMatch(/^API key +demo$/m)
  const lines = [...output.matchAll(/^ +(curl .*)$/gm)].map((match) => match[1] ?? '')
  const statuses = []
  for (const line of lines) statuses.push((await runCurl(line)).status)
  expect(statuses).toEqual([200, 201, 200])
})

test('--key, --window, --categories and --latency reach the service', async () => {
  const { list } = await start(
    ...['--key', 'one', '--key', 'two', '--window', '1/3600', '--window', '9/7200', '--categories', '7'],
    ...['--latency', '2'],
  )
  const first = await list('one')
  expect(await first.json()).toHaveLength(7)
  expect(first.headers.get('X-RateLimit-Limit')).toBe('1')
  expect(first.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect((await list('one')).status).toBe(429)
  expect((await list('two')).status).toBe(200)
  expect((await list('demo')).status).toBe(401)
})

test('--plan takes a plan by name, also with --ban', async () => {
  const { list } = await start('--plan', 'pro', '--ban')
  expect((await list()).headers.get('X-RateLimit-Limit')).toBe('300')
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends the program cleanly, even while a connection waits',
  async (signal) => {
    const { child, ended, baseUrl } = await start('--latency', '600000')
    // Node's server sends the status 100 (Continue) when it has received the request.
    const headers = { Authorization: 'Bearer demo', Expect: '100-continue' }
    const waiting = get(`${baseUrl}/categories`, { headers })
    const cutOff = new Promise((resolve) => waiting.on('error', resolve))
    await new Promise((resolve) => waiting.on('continue', () => resolve(undefined)))
    child.kill(signal)
    expect(await ended).toMatchObject({ code: 0, errors: '' })
    expect(await cutOff).toMatchObject({ code: 'ECONNRESET' })
  },
)

test('--help prints every option', async () => {
  const { code, output, errors } = await run('--help').ended
  expect([code, errors]).toEqual([0, ''])
  for (const option of ['port', 'key', 'plan', 'window', 'categories', 'ban', 'latency']) {
    expect(output).toContain(`--${option} `)
  }
})

test.each([
  [['--port', 'high'], '--port takes a whole number, not "high".'],
  [['--port', '70000'], '--port takes a number up to 65535, not 70000.'],
  [['--plan', 'gold'], '--plan takes free, pro, business; not "gold".'],
  [['--window', '5'], '--window takes LIMIT/SECONDS, such as 5/10; not "5".'],
  [['--window', '5/0'], 'The length "per" of a window (milliseconds) must be a whole number from 1'],
  [['--window', '5/10', '--plan', 'pro'], '--plan and --window exclude each other. Leave one out.'],
  [['--categories=-1'], '--categories takes a whole number, not "-1".'],
  [['--latency', '1e3'], '--latency takes a whole number, not "1e3".'],
  [['--key', ''], 'The key "" cannot be sent in a header.'],
  [['--prot', '1'], "Unknown option '--prot'"],
  [['extra'], "Unexpected argument 'extra'"],
])('%j are refused with a clear message and exit code 2', async (args, message) => {
  const { code, output, errors } = await run(...args).ended
  expect([code, output]).toEqual([2, ''])
  expect(errors).toMatch(/^petstore-service: /)
  expect(errors).toContain(message)
  expect(errors).toContain('Try petstore-service --help')
})

test('a port that is in use gives a clear message and exit code 1', async () => {
  const server = await listen(createPetstoreService())
  const { port } = new URL(server.origin)
  const { code, errors } = await run('--port', port).ended
  await server.close()
  expect([code, errors]).toEqual([
    1,
    `petstore-service: Cannot listen on port ${port}. Choose another one with --port.\n`,
  ])
})
