import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright'
import { serverKey } from './Visit.ts'

/**
 * Collects a page's errors and warnings, and the size of its scripts.
 *
 * @param expected - the problems that the test causes
 */
export function watchPage(page: Page, expected?: RegExp) {
  const problems: string[] = []
  const scripts: Promise<number>[] = []

  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    // The apps of the guides have no icon.
    if (message.location().url.endsWith('/favicon.ico')) return
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('requestfailed', (request) => problems.push(`${request.url()}: ${request.failure()?.errorText}`))
  page.on('response', (response) => {
    if (response.status() === 304) return // has no body: the page has got it before
    const type = response.request().resourceType()
    scripts.push(
      response.body().then(
        (bytes) => {
          if (bytes.includes(serverKey)) problems.push(`The server's key was sent to the page: ${response.url()}`)
          return type === 'script' ? gzipSync(bytes).length : 0
        },
        // Handled here, as nobody waits for a response that comes while the page is being closed.
        (error: unknown) => {
          // Chromium does not always keep bodies that a page reads as a stream.
          if (type !== 'fetch') problems.push(`${response.url()}: ${String(error)}`)
          return 0
        },
      ),
    )
  })

  return {
    /** Returns the compressed size of the page's scripts in bytes. Throws if the page had a problem. */
    verify: async (): Promise<number> => {
      let sizes: number[] = []
      // More responses may arrive while this waits.
      while (sizes.length < scripts.length) sizes = await Promise.all(scripts)
      const unexpected = problems.filter((problem) => !expected?.test(problem))
      assert.deepEqual(unexpected, [], 'The page has problems.')
      return sizes.reduce((sum, size) => sum + size, 0)
    },
  }
}
