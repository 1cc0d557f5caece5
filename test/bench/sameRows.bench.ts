import { SWRConfig } from 'swr'
import { bench, describe } from 'vitest'
import { createPetstoreClient } from '../../src/client.ts'

/*
 * What a client spends on a list that arrives again unchanged, compared with a first arrival and with SWR's default deep
 * comparison. Each includes decoding the text, which the first line measures alone.
 */

const rows = Array.from({ length: 100_000 }, (_, index) => ({
  id: index + 1,
  name: `Category ${index + 1}`,
  description: `All about number ${index + 1}`,
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
const previousRows = await client.listCategories()
const equalRows = await newClient().listCategories()
if ((await client.listCategories()) !== previousRows) throw new Error('Equal rows should be the same array.')
const { compare } = SWRConfig.defaultValue

const options = { time: 4000, warmupTime: 1000 }

describe('100,000 rows arrive', () => {
  bench('decoding the text only', async () => void (await (await fetch()).text()), options)
  bench('an equal list again', async () => void (await client.listCategories()), options)
  bench('a list for the first time', async () => void (await newClient().listCategories()), options)
  bench("SWR's deep comparison only", () => void compare(previousRows, equalRows), options)
})
