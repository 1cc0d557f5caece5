import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, firefox, type LaunchOptions } from 'playwright'
import { chromiumLaunchOptions } from '../chromium.ts'
import type { EngineBrowser, EngineBrowserOptions, EngineTab } from './EngineBrowser.ts'
import { firefoxLaunchOptions } from './firefoxLaunchOptions.ts'

/** Playwright's defaults that these tests drop: full speed in the background, and no back-forward cache. */
const droppedChromiumFlags = [
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
]
/** Firefox's defaults, which Playwright changes. */
const restoredFirefoxPrefs = {
  'dom.min_background_timeout_value': 1_000,
  'dom.min_background_timeout_value_without_budget_throttling': 1_000,
  'dom.timeout.enable_budget_timer_throttling': true,
  'layout.testing.top-level-always-active': false,
  'focusmanager.testmode': false,
}

async function launchOptions(engine: 'chromium' | 'firefox', isPrivate: boolean): Promise<LaunchOptions> {
  if (engine === 'chromium') {
    const { args = [], ...options } = await chromiumLaunchOptions()
    return { ...options, args: isPrivate ? [...args, '--incognito'] : args, ignoreDefaultArgs: droppedChromiumFlags }
  }
  const { firefoxUserPrefs, ...options } = await firefoxLaunchOptions()
  const ownPrefs = { ...restoredFirefoxPrefs, 'browser.privatebrowsing.autostart': isPrivate }
  return { ...options, firefoxUserPrefs: { ...firefoxUserPrefs, ...ownPrefs } }
}

export async function openWithPlaywright(
  engine: 'chromium' | 'firefox',
  { isPrivate = false }: EngineBrowserOptions,
): Promise<EngineBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'petstore-engine-'))
  const type = engine === 'chromium' ? chromium : firefox
  const context = await type.launchPersistentContext(profile, await launchOptions(engine, isPrivate))
  return {
    version: context.browser()?.version() ?? 'unknown',
    openTab: () => openTab(engine, context),
    close: async () => {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

async function openTab(engine: 'chromium' | 'firefox', context: BrowserContext): Promise<EngineTab> {
  const page = await context.newPage()
  /** Chromium without a screen hides no tab, but it freezes one, as it does after minutes in the background. */
  const setLifecycle = async (state: 'frozen' | 'active') => {
    const session = await context.newCDPSession(page)
    await session.send('Page.setWebLifecycleState', { state })
    await session.detach()
  }
  return {
    open: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    run: async (task, ...args) => {
      const source = `(${String(task)})(...${JSON.stringify(args)})`
      return (await page.evaluate(source)) as never // what `task` returns
    },
    hide: async () => {
      if (engine === 'chromium') return setLifecycle('frozen')
      await page.evaluate(() => void window.open('about:blank')) // a new page would be a window of its own
      await page.waitForFunction(() => document.visibilityState === 'hidden')
    },
    show: () => (engine === 'chromium' ? setLifecycle('active') : page.bringToFront()),
  }
}
