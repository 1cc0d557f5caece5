import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import { playwright } from '@vitest/browser-playwright'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { chromiumLaunchOptions } from './test/chromium.ts'

const launchOptions = await chromiumLaunchOptions()

/** A new object at each call: Vitest writes into the one it is given, so projects cannot share it. */
const chromium = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions }),
  instances: [{ browser: 'chromium' as const }],
})

const react18 = (name: string) => `${import.meta.dirname}/test/react-18/node_modules/${name}`
const reactTests = {
  environment: 'jsdom',
  include: ['test/{hooks,components}/**/*.test.{ts,tsx}', 'test/soak/oneDay.test.tsx'],
  setupFiles: ['test/timeouts.ts'],
  testTimeout: 20_000,
}
const browserTests = ['test/**/*.browser.test.{ts,tsx}']
/** Tests in Node that steer a browser: with several tabs, or on pages as a server sends them. */
const pageTests = ['test/**/*.{tabs,page}.test.{ts,tsx}']

export default defineConfig({
  plugins: [react()],
  // Bundle browser dependencies afresh each run: with a warm cache a newly imported package reloads the page mid-run.
  optimizeDeps: { force: true },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [...reactTests.include, ...browserTests, ...pageTests],
          benchmark: { include: ['test/bench/**/*.bench.ts'] },
        },
      },
      { extends: true, test: { ...reactTests, exclude: browserTests, name: 'react-19', benchmark: { include: [] } } },
      {
        extends: true,
        resolve: {
          mainFields: ['module'], // Testing Library's ES module: aliases do not reach into CommonJS
          alias: [
            { find: /^(react|react-dom)(?=\/|$)/, replacement: react18('$1') },
            { find: /^use-sync-external-store\/shim.*/, replacement: react18('react') },
          ],
        },
        test: {
          ...reactTests,
          exclude: browserTests,
          name: 'react-18',
          server: { deps: { inline: ['@testing-library/react', 'swr'] } },
          benchmark: { include: [] },
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          environment: 'node',
          include: pageTests,
          globalSetup: ['test/playground/serve.ts'],
          testTimeout: 90_000,
          hookTimeout: 30_000,
          benchmark: { include: [] },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: browserTests,
          setupFiles: ['test/timeouts.ts'],
          testTimeout: 30_000,
          browser: chromium(),
          benchmark: { include: [] },
        },
      },
      {
        extends: true,
        plugins: [storybookTest({ configDir: '.storybook' })],
        // Each story is looked at in twelve ways, on machines that may be busy.
        test: { name: 'storybook', browser: chromium(), testTimeout: 60_000, benchmark: { include: [] } },
      },
    ],
  },
})
