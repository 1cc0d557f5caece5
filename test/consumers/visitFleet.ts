import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PetstoreService } from '../../src/testing.ts'
import { createRabbit } from './createRabbit.ts'
import { serverKey, type Visit } from './Visit.ts'

/** Visits a page of the first server, while the second one shares the quota of the key. */
export async function visitFleet({ page, urls: [first = '', second = ''], service, baseUrl }: Visit): Promise<void> {
  await page.goto(first)
  await createRabbit(page)

  // More than the service allows, through both servers at once: they hold back the rest, and the service refuses none.
  const statuses = await Promise.all(
    Array.from({ length: 40 }, (_, index) => createCategory(index % 2 === 0 ? first : second, `Pet ${index}`)),
  )
  assert(statuses.includes(201), 'No category was created.')
  assert(statuses.includes(429), 'Nothing was held back.')
  assert.deepEqual(refusals(service), [], 'The service has refused what the servers should have held back.')

  // Another program uses up the window, so the page causes a cool-down through the first server.
  await exhaustQuota(baseUrl, first)
  await page.getByLabel('Name', { exact: true }).fill('Hamster')
  const refused = page.waitForResponse((response) => response.status() === 429)
  await page.getByRole('button', { name: 'Create category' }).click()
  await refused
  assert.deepEqual(refusals(service), ['createCategory'])

  // The cool-down holds at the second server, which sends nothing.
  const received = service.requests.length
  const response = await listCategories(second)
  assert.equal(response.status, 429)
  assert(Number(response.headers.get('Retry-After')) > 0, 'The second server does not say how long to wait.')
  assert.equal(service.requests.length, received, 'The second server has sent a request in a known cool-down.')

  // The page waits, and then sends the category once more. Nobody has sent anything in the cool-down.
  await page.getByText('Created “Hamster”.').first().waitFor()
  assert.deepEqual(refusals(service), ['createCategory'])
  assert.equal((await listCategories(second)).status, 200)
}

/** Lists the categories as the client of a page does. */
const listCategories = (url: string): Promise<Response> =>
  fetch(`${url}api/petstore/v1/categories`, { headers: { 'Petstore-Priority': 'user' } })

/** Creates a category. Resolves with the status of the response. */
async function createCategory(url: string, name: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json', Origin: new URL(url).origin }
  const response = await fetch(`${url}api/petstore/v1/categories`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name }),
  })
  return response.status
}

/** Uses up a window, without a refusal, while the server believes that it may send. */
async function exhaustQuota(baseUrl: string, server: string): Promise<void> {
  const request = async () => {
    const { headers } = await fetch(`${baseUrl}/categories`, { headers: { Authorization: `Bearer ${serverKey}` } })
    const number = (name: string) => Number(headers.get(`X-RateLimit-${name}`))
    return { remaining: number('Remaining'), endsIn: number('Reset') * 1_000 - Date.now() }
  }
  for (;;) {
    const { ok, headers } = await listCategories(server)
    const { remaining, endsIn } = ok ? await request() : { remaining: 0, endsIn: 0 }
    // The window must not end before the page's request.
    if (endsIn > 2_000) return void (await Promise.all(Array.from({ length: remaining }, request)))
    await sleep(ok ? endsIn : Number(headers.get('Retry-After')) * 1_000)
  }
}

/** The operations that the service has refused with a 429. */
const refusals = (service: PetstoreService) =>
  service.requests.filter(({ status }) => status === 429).map(({ operation }) => operation)
