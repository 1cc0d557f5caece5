import { join } from 'node:path'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import type { TestContext } from 'vitest'
import type { PetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'

/** Starting workerd takes seconds on a busy machine, in ms. */
export const timeout = 60_000

/** Why the runtime of Cloudflare Workers does not start on this machine; `undefined` if it does. */
async function whyNotStarting(): Promise<string | undefined> {
  const runtime = new Miniflare({ modules: true, script: 'export default { fetch: () => new Response() }' })
  try {
    await runtime.ready
    return undefined
  } catch (reason) {
    return String(reason)
  } finally {
    await runtime.dispose()
  }
}

export const problem: string | undefined = await whyNotStarting()
if (problem !== undefined)
  console.warn(`Skipped: workerd, the runtime of Cloudflare Workers, does not start. ${problem}`)

export interface WorkerOptions {
  readonly service: PetstoreService
  readonly compatibilityDate: string
  readonly compatibilityFlags?: string[]
}

/** Starts a worker of this folder beside a service. Both end with the test. */
export async function startWorker(
  file: string,
  { service, ...compatibility }: WorkerOptions,
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
): Promise<Miniflare> {
  const server = await listen(service)
  onTestFinished(server.close)
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, file)],
    bundle: true,
    format: 'esm',
    mainFields: ['module', 'main'],
    write: false,
    define: {
      baseUrl: JSON.stringify(server.baseUrl),
      quickstartBaseUrl: JSON.stringify(server.quickstartBaseUrl),
      'process.env.NODE_ENV': '"development"',
    },
  })
  const script = outputFiles.map(({ text }) => text).join('')
  const worker = new Miniflare({ modules: true, script, ...compatibility })
  onTestFinished(() => worker.dispose())
  return worker
}
