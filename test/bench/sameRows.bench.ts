import { SWRConfig } from 'swr'
import { bench, describe } from 'vitest'
import { createPetstoreClient } from '../../src/client.ts'

/*
 * The same list arriving again: what a client spends on it, beside the first arrival, and beside comparing the rows of
 * both arrivals deeply, as SWR does by default. Each takes the text from bytes, whose own cost is the first line.
 */

const rows = Array.from({ length: 100_000 }, (_, index) => ({
  id: index + 1,
  name: `Category ${index + 1}`,
  description: `All that belongs to number ${index + 1}`,
}))
const body = new TextEncoder().encode(JSON.stringify(rows))

const headers = {
  'Content-Type': 'application/json',
  'X-RateLimit-Limit': '1000000',
  'X-RateLimit-Remaining': '999999',
  'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + 86_400),
}
const fetch = async () => new Response(body, { headers })

let clients = 0
const newClient = () => {
  clients += 1
  return createPetstoreClient({ baseUrl: `https://bench-${clients}.test/v1`, apiKey: 'demo', fetch })
}

const client = newClient()
const before = await client.listCategories()
const again = await newClient().listCategories()
if ((await client.listCategories()) !== before) throw new Error('the same rows should be the same array')
const { compare } = SWRConfig.defaultValue

const options = { time: 4000, warmupTime: 1000 }

describe('100,000 rows arrive', () => {
  bench('reading the text alone', async () => void (await (await fetch()).text()), options)
  bench('the same as before', async () => void (await client.listCategories()), options)
  bench('for the first time', async () => void (await newClient().listCategories()), options)
  bench("SWR's deep comparison alone", () => void compare(before, again), options)
})
