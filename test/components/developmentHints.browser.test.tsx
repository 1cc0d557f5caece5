import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { server } from 'vitest/browser'
import { CategoryForm, createPetstoreClient, PetstoreProvider } from '../../src/index.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'

const warn = vi.spyOn(console, 'warn')
beforeEach(() => void warn.mockReset().mockImplementation(() => {}))
afterEach(cleanup)

const hints = () => warn.mock.calls.flat().join()
const soon = { timeout: 3_000 }

/** Makes one request, and ignores its error. */
async function call(baseUrl: string) {
  const retry = { attempts: 1, maxWait: 0 }
  await createPetstoreClient({ baseUrl, retry, rateLimitStore: createMemoryStore() })
    .listCategories()
    .catch(() => {})
}

test('a page without the styles says what to import', async () => {
  render(
    <PetstoreProvider baseUrl="/v1">
      <CategoryForm />
    </PetstoreProvider>,
  )
  await expect.poll(hints, soon).toContain('Import "petstore-react/styles.css"')
})

// WebKit has no performance entry for a request that has failed, so the client cannot see that the browser sent it.
test.skipIf(server.browser === 'webkit')(
  'a request to another origin that gets no response names the header of CORS',
  async () => {
    await call('http://127.0.0.1:65431/v1')
    await expect.poll(hints, soon).toContain(`"Access-Control-Allow-Origin: ${location.origin}"`)
  },
)

test('a root-relative address without its handler asks whether it is mounted', async () => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response('', { status: 404 }))
  await call('/nowhere/v1')
  await expect.poll(hints, soon).toContain('Is the handler mounted?')
})
