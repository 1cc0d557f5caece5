import { createPetstoreClient, isPetstoreError, type PetstoreClient } from 'petstore-react/client'
import { createPetstoreHandler } from 'petstore-react/server'
import { createPetstoreService } from 'petstore-react/testing'
import { listen } from 'petstore-react/testing/node'

async function outcomeOf(client: PetstoreClient): Promise<string> {
  try {
    return (await client.listCategories()).map(({ id, name }) => `${id} ${name}`).join(', ')
  } catch (error) {
    if (!isPetstoreError(error)) throw error
    return error.kind
  }
}

// A service that runs elsewhere.
const baseUrl = process.env['PETSTORE_URL'] ?? ''
const apiKey = process.env['PETSTORE_API_KEY'] ?? ''
const client = createPetstoreClient({ baseUrl, apiKey })
const { name } = await client.createCategory({ name: 'Rabbit' })
console.log('created', name)
console.log('listed', await outcomeOf(client))
console.log('refused', await outcomeOf(createPetstoreClient({ baseUrl, apiKey: 'wrong' })))

// A handler that keeps the key on this server, as a route calls it.
const handler = createPetstoreHandler({ baseUrl, apiKey, authorize: 'everybody' })
const address = 'https://app.example/api/petstore/v1/categories'
const response = await handler(new Request(address, { headers: { 'Sec-Fetch-Site': 'same-origin' } }))
const rows: unknown = await response.json()
console.log('handler', response.status, Array.isArray(rows) ? rows.length : 0, 'rows')
const stranger = new Request(address, { headers: { 'Sec-Fetch-Site': 'cross-site' } })
console.log('handler', (await handler(stranger)).status)

// A mock service, as in a test. Its limit holds the second call back.
const service = createPetstoreService({
  categories: [{ id: '9007199254740993', name: 'Dog' }],
  plan: [{ limit: 1, per: 3_600_000 }],
})
const listening = await listen(service)
const ownClient = createPetstoreClient({ baseUrl: listening.baseUrl, apiKey: 'demo' })
console.log('own', await outcomeOf(ownClient))
console.log('own', await outcomeOf(ownClient))
console.log('own service received', service.requests.length, 'request')
await listening.close()
