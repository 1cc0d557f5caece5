import { type Browser, chromium, firefox } from 'playwright'
import { chromiumLaunchOptions } from '../chromium.ts'
import { firefoxLaunchOptions } from '../engines/firefoxLaunchOptions.ts'

export type BenchBrowser = 'chromium' | 'firefox'

/**
 * The browser of a benchmark: the one of the tests, or the installed Firefox with clocks as fine as Chromium's.
 *
 * @param moreArgs - of Chromium's command line
 */
export async function launchBrowser(name: BenchBrowser, moreArgs: readonly string[] = []): Promise<Browser> {
  if (name === 'chromium') {
    const { args = [], ...others } = await chromiumLaunchOptions()
    return chromium.launch({ ...others, args: [...args, ...moreArgs] })
  }
  const { firefoxUserPrefs, ...others } = await firefoxLaunchOptions()
  return firefox.launch({
    ...others,
    firefoxUserPrefs: { ...firefoxUserPrefs, 'privacy.reduceTimerPrecision': false },
  })
}
