import { type Browser, chromium } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import { chromiumLaunchOptions } from '../chromium.ts'

/** Starts a browser for the tests of a file. Returns a function that gives it to them: call it inside a test. */
export function startBrowser(): () => Browser {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch(await chromiumLaunchOptions())
  })
  afterAll(async () => {
    await browser.close()
  })
  return () => browser
}
