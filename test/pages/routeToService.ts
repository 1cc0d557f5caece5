import type { Page } from 'playwright'
import type { PetstoreService } from '../../src/testing.ts'

/** Lets the service respond to a page's requests to an address, such as `https://petstore.example`. */
export async function routeToService(page: Page, origin: string, service: PetstoreService): Promise<void> {
  await page.route(`${origin}/**`, async (route) => {
    const request = route.request()
    try {
      const response = await service.fetch(request.url(), {
        method: request.method(),
        headers: request.headers(),
        body: request.postData(),
      })
      const headers = Object.fromEntries(response.headers)
      await route.fulfill({ status: response.status, headers, body: await response.text() })
    } catch {
      await route.abort() // a lost connection
    }
  })
}
