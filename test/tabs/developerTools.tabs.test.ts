import { expect, it } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { openTabs } from './tabs.setup.ts'

it('developer tools do not show a response with `no-store` as canceled', async () => {
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
