import { screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { createPetstoreClient } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { PetstoreDevtoolsPanel } from '../../src/devtools.ts'

afterEach(() => vi.unstubAllGlobals())

test('a call that settles before the effects of the panel run is recorded', async () => {
  // `act` would run the effects at once.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const client = createPetstoreClient({
    baseUrl: 'https://petstore.test/v1',
    rateLimitStore: createMemoryStore(),
    fetch: async () => Response.json([]),
  })
  function CategoryLoader() {
    useLayoutEffect(() => void client.listCategories(), [])
    return null
  }
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  root.render(
    <>
      <CategoryLoader />
      <PetstoreDevtoolsPanel client={client} />
    </>,
  )
  expect(await screen.findByRole('cell', { name: 'success' })).toBeDefined()
  root.unmount()
  container.remove()
})
