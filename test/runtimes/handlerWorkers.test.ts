import { supportedCompatibilityDate } from 'miniflare'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { handlerScript, type Send } from '../server/handlerScript.ts'
import { problem, startWorker, timeout, type WorkerOptions } from './workerd.setup.ts'

/** Starts `handlerWorker.ts`. */
async function startHandler(compatibility: Omit<WorkerOptions, 'service'>) {
  const service = createPetstoreService({
    plan: 'business',
    categories: [{ id: '9007199254740993', name: 'Dög' }],
    firstId: '9223372036854775807',
  })
  const worker = await startWorker('handlerWorker.ts', { ...compatibility, service }, { onTestFinished })
  const send: Send = async (path, init) => {
    const response = await worker.dispatchFetch(`https://worker.test${path}`, init)
    const { status } = response
    const hasBody = status !== 204 && status !== 304
    return new Response(hasBody ? await response.text() : null, { status, headers: [...response.headers] })
  }
  return { service, send }
}

describe.skipIf(problem !== undefined).each([
  { compatibilityDate: supportedCompatibilityDate },
  // Before 2024-10-14 no request may wait for what another one does, unless this flag is set.
  { compatibilityDate: '2023-11-01', compatibilityFlags: ['handle_cross_request_promise_resolution'] },
])('in a Cloudflare Worker, $compatibilityDate', (compatibility) => {
  test('the handler gives the responses that `handlerScript` expects', { timeout }, async () => {
    const { send } = await startHandler(compatibility)
    expect(await handlerScript.steps(send)).toEqual(handlerScript.expected)
  })

  test('a kept response is reloaded in the background of the request that it served', { timeout }, async () => {
    const { service, send } = await startHandler(compatibility)
    const get = () =>
      send('/api/petstore/v1/categories', {
        method: 'GET',
        headers: { Cookie: 'session=ann', 'Sec-Fetch-Site': 'same-origin' },
      })
    expect((await get()).headers.get('Server-Timing')).toMatch(/^queue/)
    for (let times = 2; times < 5; times += 1) {
      // While the response to one reload is under way, no other begins.
      const reload = async () => {
        expect((await get()).headers.get('Server-Timing')).toBe('cache')
        return service.requests.length
      }
      await expect.poll(reload).toBeGreaterThanOrEqual(times)
    }
    expect(new Set(service.requests.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('requests that come at once are all served', { timeout }, async () => {
    const { send } = await startHandler(compatibility)
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        send('/api/petstore/v1/categories', {
          method: index % 2 ? 'POST' : 'GET',
          headers: { Cookie: 'session=ann', 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
          ...(index % 2 && { body: `{"name":"${index}"}` }),
        }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 201, 200, 201, 200, 201])
  })
})

test.skipIf(problem !== undefined)(
  'a Cloudflare Worker of 2023 gives the responses that `handlerScript` expects, one request at a time',
  { timeout },
  async () => {
    const { send } = await startHandler({ compatibilityDate: '2023-11-01' })
    expect(await handlerScript.steps(send)).toEqual(handlerScript.expected)
  },
)
