#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { createPetstoreService } from './createPetstoreService.ts'
import { listen } from './listen.ts'
import type { PlanName, QuotaWindow } from './quota.ts'
import type { ServiceAddresses } from './router.ts'

/** Printed by `petstore-service --help`. */
const usage = `petstore-service: the Petstore service on this machine, in memory, for demos and tests

Usage: petstore-service [options]

  --port PORT              port to listen on, 0 for any free one (default 4010)
  --key KEY                an API key to accept; may be repeated (default demo)
  --plan PLAN              free, pro or business (default free: 60 requests a minute and 1,000 a day)
  --window LIMIT/SECONDS   your own limit instead of a plan, such as 5/10; may be repeated
  --categories COUNT       number of generated categories (default: five with real names)
  --ban                    ban a key that keeps sending during a cool-down (a simulation)
  --latency MILLISECONDS   duration of each response (default 0)
  --help                   print this text
`

/** Printed when the service listens: its addresses, its key, and requests to paste into a shell. */
function greeting({ baseUrl, quickstartBaseUrl }: ServiceAddresses, key: string): string {
  const authorization = `-H 'Authorization: Bearer ${key}'`
  const json = "-H 'Content-Type: application/json'"
  return `Base URL        ${baseUrl}
Quickstart URL  ${quickstartBaseUrl}
API key         ${key}

List categories:
  curl -i ${baseUrl}/categories ${authorization}
Create a category:
  curl -i ${baseUrl}/categories ${authorization} ${json} -d '{"name":"Hamster"}'
Send a message:
  curl -i ${quickstartBaseUrl}/messages ${authorization} ${json} -d '{"message":"Hello"}'

Stop with Ctrl+C.
`
}

const planNames: readonly PlanName[] = ['free', 'pro', 'business']

function readNumber(option: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new TypeError(`${option} takes a whole number, not "${text}".`)
}

function readPlan(text: string): PlanName {
  const name = planNames.find((candidate) => candidate === text)
  if (name === undefined) throw new TypeError(`--plan takes ${planNames.join(', ')}; not "${text}".`)
  return name
}

function readWindow(text: string): QuotaWindow {
  const [, limit, seconds] = /^(\d{1,10})\/(\d{1,10})$/.exec(text) ?? []
  if (!limit || !seconds) throw new TypeError(`--window takes LIMIT/SECONDS, such as 5/10; not "${text}".`)
  return { limit: Number(limit), per: Number(seconds) * 1000 }
}

function fail(error: unknown, exitCode: number): void {
  console.error(`petstore-service: ${error instanceof Error ? error.message : String(error)}`)
  if (exitCode === 2) console.error('Try petstore-service --help')
  process.exitCode = exitCode
}

/**
 * Turns the command line into a port, a service and its first key; `undefined` for `--help`.
 *
 * @throws TypeError that names the option and says what to write instead.
 */
function readCommandLine() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4010' },
      key: { type: 'string', multiple: true, default: ['demo'] },
      plan: { type: 'string' },
      window: { type: 'string', multiple: true },
      categories: { type: 'string' },
      ban: { type: 'boolean', default: false },
      latency: { type: 'string', default: '0' },
      help: { type: 'boolean' },
    },
  })
  const { plan, window, categories } = values
  if (values.help) return undefined
  const port = readNumber('--port', values.port)
  if (port > 65_535) throw new TypeError(`--port takes a number up to 65535, not ${port}.`)
  if (plan !== undefined && window) throw new TypeError('--plan and --window exclude each other. Leave one out.')
  const service = createPetstoreService({
    keys: values.key,
    plan: window ? window.map(readWindow) : readPlan(plan ?? 'free'),
    ...(categories !== undefined && { categories: readNumber('--categories', categories) }),
    ban: values.ban && {},
    latency: readNumber('--latency', values.latency),
  })
  return { port, key: values.key[0] ?? '', service }
}

async function run(): Promise<void> {
  let command: ReturnType<typeof readCommandLine>
  try {
    command = readCommandLine()
  } catch (error) {
    fail(error, 2)
    return
  }
  if (!command) {
    process.stdout.write(usage)
    return
  }
  const { port } = command
  const listening = await listen(command.service, { port }).catch((error: unknown) => {
    throw new Error(`Cannot listen on port ${port}. Choose another one with --port.`, { cause: error })
  })
  // Without `exit`, pending requests with a latency would keep the process alive.
  const stop = (): void => void listening.close().finally(() => process.exit())
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  process.stdout.write(greeting(listening, command.key))
}

run().catch((error: unknown) => fail(error, 1))
