import { act } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createPetstoreClient, type RateLimitState, useRateLimit } from '../../src/index.ts'
import { createPetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'
import { pass, renderOnClient, settle, stopTimeInEachTest } from './query.setup.tsx'

stopTimeInEachTest()

function renderReader(options: PetstoreServiceOptions = {}) {
  const service = createPetstoreService(options)
  const client = createPetstoreClient(optionsFor(service))
  const rendered: RateLimitState[] = []
  function Reader() {
    const state = useRateLimit()
    rendered.push(state)
    return <p>{state.status}</p>
  }
  renderOnClient(<Reader />, client)
  const call = async () => {
    const { length } = service.requests
    const result = client.listCategories().catch((error: unknown) => error)
    await settle(() => service.requests.length > length)
    await act(() => result)
  }
  return { service, client, rendered, call, latest: () => rendered.at(-1) }
}

test('shows a cool-down, and renders once when it ends', async () => {
  const { service, call, latest, rendered } = renderReader()
  service.failNext({ status: 429, headers: { 'Retry-After': '30' } })
  await call()
  expect(latest()?.status).toBe('cooling-down')
  const { retryAt = 0 } = latest() ?? {}
  expect(retryAt).toBeGreaterThanOrEqual(Date.now() + 30_000)
  rendered.length = 0
  await pass(retryAt - Date.now() - 1)
  expect(rendered).toEqual([])
  await pass(2)
  expect(latest()?.status).toBe('unknown')
  expect(rendered.length).toBeLessThanOrEqual(2) // StrictMode renders twice
})
