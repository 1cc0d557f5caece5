import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright'
import { serverKey } from './consumers.ts'

/** Collects whatever a page complains about, and all that it is sent. */
export function watchPage(page: Page) {
  const complaints: string[] = []
  const scripts: Promise<number>[] = []

  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`))
  page.on('response', (response) => {
    const type = response.request().resourceType()
    // Chromium does not always keep what a page reads piece by piece.
    const body = type === 'fetch' ? response.body().catch(() => Buffer.alloc(0)) : response.body()
    scripts.push(
      body.then((bytes) => {
        if (bytes.includes(serverKey)) complaints.push(`The server's key was sent to the page: ${response.url()}`)
        return type === 'script' ? gzipSync(bytes).length : 0
      }),
    )
  })

  return {
    /** Throws if there was anything. Else how many bytes of scripts were loaded, compressed. */
    judge: async (): Promise<number> => {
      const sizes = await Promise.all(scripts)
      assert.deepEqual(complaints, [], 'The page complained.')
      return sizes.reduce((sum, size) => sum + size, 0)
    },
  }
}
