import { bench, describe } from 'vitest'
import { createPetstoreClient } from '../../src/client.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { openTabs } from '../tabs/tabs.setup.ts'

// The cost of the whole client is the difference between the two medians: with it, and with `fetch` alone.
const plan = [{ limit: 1_000_000_000, per: 60_000 }]
const server = await listen(createPetstoreService({ plan }))
const client = createPetstoreClient({
  baseUrl: server.baseUrl,
  apiKey: 'demo',
  rateLimitStore: createMemoryStore(),
})
await client.listCategories()

const tabs = await openTabs(createPetstoreService({ plan }))
const page = await tabs.open()
await page.evaluate(() => window.client.listCategories())

const options = { time: 3_000 }

describe('in Node, with the memory store', () => {
  bench(
    'fetch and json()',
    async () => {
      const response = await fetch(`${server.baseUrl}/categories`, { headers: { Authorization: 'Bearer demo' } })
      await response.json()
    },
    options,
  )
  bench(
    'client.listCategories()',
    async () => {
      await client.listCategories()
    },
    options,
  )
})

describe('in Chromium, with the store that tabs share', () => {
  bench(
    'fetch and json()',
    () =>
      page.evaluate(async (url) => {
        const response = await fetch(url, { cache: 'no-store', headers: { Authorization: 'Bearer demo' } })
        await response.json()
      }, `${tabs.baseUrl}/categories`),
    options,
  )
  bench(
    'client.listCategories()',
    () =>
      page.evaluate(async () => {
        await window.client.listCategories()
      }),
    options,
  )
})
