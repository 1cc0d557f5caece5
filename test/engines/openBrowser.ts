import type { EngineBrowser, EngineBrowserOptions } from './EngineBrowser.ts'
import { openWithPlaywright } from './openWithPlaywright.ts'
import { openWithWebDriver } from './openWithWebDriver.ts'

/** Opens the engine that the project of these tests is about. */
export function openBrowser(options: EngineBrowserOptions = {}): Promise<EngineBrowser> {
  const engine = process.env['ENGINE']
  if (engine === 'webkit') return openWithWebDriver(options)
  if (engine === 'chromium' || engine === 'firefox') return openWithPlaywright(engine, options)
  throw new Error('Run these tests with npm run test:engines.')
}
