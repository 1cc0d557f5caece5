import { type Browser, chromium, firefox } from 'playwright'
import { chromiumLaunchOptions } from '../chromium.ts'
import { firefoxLaunchOptions } from '../engines/firefoxLaunchOptions.ts'

export type BenchBrowser = 'chromium' | 'firefox'

interface LaunchBrowserOptions {
  /** Whether frames start without waiting for the screen, so that only their work counts. Default `false`. */
  readonly isUnpaced?: boolean
}

/** The browser of a benchmark: the one of the tests, or the installed Firefox with clocks as fine as Chromium's. */
export async function launchBrowser(
  name: BenchBrowser,
  { isUnpaced = false }: LaunchBrowserOptions = {},
): Promise<Browser> {
  if (name === 'chromium') {
    const { args = [], ...others } = await chromiumLaunchOptions()
    const unpaced = isUnpaced ? ['--disable-frame-rate-limit', '--disable-gpu-vsync'] : []
    return chromium.launch({ ...others, args: [...args, ...unpaced] })
  }
  const { firefoxUserPrefs, ...others } = await firefoxLaunchOptions()
  const unpaced = isUnpaced ? { 'layout.frame_rate': 0 } : {}
  const prefs = { ...firefoxUserPrefs, ...unpaced, 'privacy.reduceTimerPrecision': false }
  return firefox.launch({ ...others, firefoxUserPrefs: prefs })
}
