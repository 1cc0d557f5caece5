import { expect, it } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { openTabs } from './tabs.setup.ts'

it('a response that may not be stored is not shown as canceled', async () => {
  const service = createPetstoreService()
  const tabs = await openTabs({
    ...service,
    fetch: async (input, init) => {
      const { body, status, headers } = await service.fetch(input, init)
      headers.set('Cache-Control', 'no-store')
      return new Response(body, { status, headers })
    },
  })
  try {
    const page = await tabs.open()
    const ended: (string | undefined)[] = []
    page.on('requestfinished', () => ended.push('finished'))
    page.on('requestfailed', (request) => ended.push(request.failure()?.errorText))
    for (let calls = 0; calls < 20; calls += 1) await page.evaluate(() => window.client.listCategories())
    await expect.poll(() => ended.filter((end) => end === 'finished').length).toBeGreaterThanOrEqual(20)
    expect(new Set(ended)).toEqual(new Set(['finished']))
  } finally {
    await tabs.close()
  }
})

it('the record says which tab has met a 429', async () => {
  const service = createPetstoreService()
  const tabs = await openTabs(service)
  try {
    const [first, second] = [await tabs.open(), await tabs.open()]
    for (const page of [first, second]) await page.evaluate(() => window.client.listCategories())
    service.failNext({ status: 429, headers: { 'Retry-After': '60' } })
    for (const page of [second, first]) {
      await page.evaluate(() => void window.client.createCategory({ name: 'Fox' }).catch(() => {}))
      await expect.poll(() => service.requests.some(({ status }) => status === 429)).toBe(true)
    }
    const hasMet = () => {
      const { record, owner } = window.client.rateLimit.inspect()
      return record.cooldownOwner === '' ? 'nobody' : record.cooldownOwner === owner
    }
    await expect.poll(() => first.evaluate(hasMet)).toBe(false)
    await expect.poll(() => second.evaluate(hasMet)).toBe(true)
  } finally {
    await tabs.close()
  }
})
