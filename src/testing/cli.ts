#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { greeting, usage } from './cliTexts.ts'
import { createPetstoreService } from './createPetstoreService.ts'
import { listen } from './listen.ts'
import { readCliValues } from './readCliValues.ts'

function fail(error: unknown, exitCode: number): void {
  console.error(`petstore-service: ${error instanceof Error ? error.message : String(error)}`)
  if (exitCode === 2) console.error('Try petstore-service --help')
  process.exitCode = exitCode
}

function readCommandLine() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4010' },
      key: { type: 'string', multiple: true, default: ['demo'] },
      plan: { type: 'string' },
      window: { type: 'string', multiple: true },
      categories: { type: 'string' },
      'retry-after': { type: 'string' },
      ban: { type: 'boolean' },
      'no-expose-headers': { type: 'boolean' },
      latency: { type: 'string', default: '0' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return undefined
  const { port, options } = readCliValues(values)
  return { port, key: values.key[0] ?? '', service: createPetstoreService(options) }
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
