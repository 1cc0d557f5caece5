import { expect, it, onTestFinished } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { openTabs } from './tabs.setup.ts'

// Chromium reports a `no-store` response as canceled when a page reads its body as a stream, and so do its developer
// tools. To prevent that, `readBytes` in src/client/steps/transport.ts clones such a response (decision 9).
it('Chromium does not report a response with `no-store` as canceled', async () => {
  const service = createPetstoreService()
  const tabs = await openTabs({
    ...service,
    fetch: async (input, init) => {
      const { body, status, headers } = await service.fetch(input, init)
      headers.set('Cache-Control', 'no-store')
      return new Response(body, { status, headers })
    },
  })
  onTestFinished(tabs.close)
  const page = await tabs.open()
  // Playwright uses the protocol of the developer tools: `requestfailed` is what they show as canceled.
  const ended: (string | undefined)[] = []
  page.on('requestfinished', () => ended.push('finished'))
  page.on('requestfailed', (request) => ended.push(request.failure()?.errorText))
  // Twenty calls, in case Chromium reports only some as canceled.
  for (let calls = 0; calls < 20; calls += 1) await page.evaluate(() => window.client.listCategories())
  await expect.poll(() => ended.filter((end) => end === 'finished').length).toBeGreaterThanOrEqual(20)
  expect(new Set(ended)).toEqual(new Set(['finished']))
})
