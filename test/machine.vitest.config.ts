import { join } from 'node:path'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import { playwright } from '@vitest/browser-playwright'
import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import type { BrowserProviderOption } from 'vitest/node'
import { chromiumLaunchOptions } from './chromium.ts'
import { chosenEngines, type EngineName } from './engines/engines.ts'
import { firefoxLaunchOptions } from './engines/firefoxLaunchOptions.ts'
import { firefoxProvider } from './engines/firefoxProvider.ts'
import { startWebKit } from './engines/startWebKit.ts'
import { webDriverProvider } from './engines/webDriverProvider.ts'
import { missingPackages } from './screenReader/missingPackages.ts'

const root = join(import.meta.dirname, '..')

/** Tests of what only Chromium has: emulated media, and the browser's own measure of layout shifts. */
const onlyInChromium = ['test/styles/tokens.browser.test.ts', 'test/components/layoutShift.browser.test.tsx']

/** Vitest scales the iframe of the tests. WebDriver would click beside its elements, or take them for invisible. */
const removeScale = `document.head.append(Object.assign(document.createElement('style'), {
  textContent: '[data-scale] { transform: none !important }',
}))`

async function providerOf(engine: EngineName): Promise<BrowserProviderOption> {
  if (engine === 'webkit') return webDriverProvider('webkit', startWebKit)
  if (engine === 'firefox') return firefoxProvider(await firefoxLaunchOptions())
  return playwright({ launchOptions: await chromiumLaunchOptions() })
}

async function projectsOf(engine: EngineName, position: number): Promise<TestProjectInlineConfiguration[]> {
  const browser = async () => ({
    enabled: true,
    headless: true,
    screenshotFailures: false,
    fileParallelism: false,
    provider: await providerOf(engine),
    orchestratorScripts: engine === 'chromium' ? [] : [{ id: 'removeScale.js', content: removeScale }],
    instances: [{ browser: engine as 'chromium' }],
  })
  const common = { maxWorkers: 1 }
  // `webDriverLocators.ts` alone imports the locators. Vite would find them late, and reload the page during a run.
  const optimizeDeps = { force: true, include: engine === 'webkit' ? ['@vitest/browser/locators'] : [] }
  return [
    {
      root,
      plugins: [react()],
      optimizeDeps,
      test: {
        ...common,
        name: `components-${engine}`,
        include: ['test/**/*.browser.test.{ts,tsx}'],
        exclude: engine === 'chromium' ? [] : onlyInChromium,
        setupFiles: ['test/timeouts.ts'],
        testTimeout: 60_000,
        browser: await browser(),
        sequence: { groupOrder: 3 * position + 1 },
      },
    },
    {
      root,
      plugins: [react(), storybookTest({ configDir: join(root, '.storybook') })],
      optimizeDeps,
      test: {
        ...common,
        name: `stories-${engine}`,
        isolate: false, // Each story has a service of its own.
        testTimeout: 120_000,
        browser: await browser(),
        sequence: { groupOrder: 3 * position + 2 },
      },
    },
    {
      root,
      plugins: [react()],
      test: {
        ...common,
        name: `pages-${engine}`,
        environment: 'node',
        include: ['test/engines/*.engine.{ts,tsx}'],
        env: { ENGINE: engine },
        fileParallelism: false,
        testTimeout: 300_000,
        hookTimeout: 60_000,
        expect: { poll: { timeout: 30_000 } },
        sequence: { groupOrder: 3 * position + 3 },
      },
    },
  ]
}

/** The same checks in each engine, one after the other, because each needs the screen and the focus for itself. */
const engineProjects = async () => (await Promise.all(chosenEngines().map(projectsOf))).flat()

function screenReaderProject(): TestProjectInlineConfiguration {
  if (missingPackages.length > 0) {
    const advice = `Missing packages of Debian. Install them: apt-get install ${missingPackages.join(' ')}`
    if (process.env['SCREEN_READER_REQUIRED']) throw new Error(advice)
    console.warn(`All flows are skipped. ${advice}`)
  }
  return {
    root,
    test: {
      name: 'screen-reader',
      include: ['test/screenReader/*.flows.ts'],
      pool: 'forks', // When a process ends, it ends the programs that it started. A thread would leave them.
      maxWorkers: 3, // Each has a desktop of its own, which mostly waits.
      testTimeout: 300_000,
      hookTimeout: 600_000,
    },
  }
}

/** Tests that need programs of the machine, and take minutes: `--mode engines` and `--mode screen-reader`. */
export default defineConfig(async ({ mode }) => ({
  root,
  test: { projects: mode === 'screen-reader' ? [screenReaderProject()] : await engineProjects() },
}))
