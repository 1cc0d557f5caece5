import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import { playwright } from '@vitest/browser-playwright'
import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { chromiumLaunchOptions } from './test/chromium.ts'

type Project = TestProjectInlineConfiguration

const inBrowser = ['test/**/*.browser.test.{ts,tsx}']
/** Tests in Node that steer a browser: with several tabs, or on pages as a server sends them. */
const steerBrowser = ['test/**/*.{tabs,page}.test.{ts,tsx}']
/** What renders on a server needs no DOM. */
const onServer = ['test/{hooks,components}/**/*server.test.tsx']
const reactTests = ['test/{hooks,components}/**/*.test.{ts,tsx}', 'test/devtools/*.test.tsx']

/**
 * `vitest run` is the daily set. `vitest run --mode deep` runs what takes too long for that: the files below, and
 *
 * | In deep alone | What guards it daily |
 * | --- | --- |
 * | 10,000 runs of a property | the first 100 runs |
 * | hooks and components on React 18 | all of them on React 19 |
 * | each rule of axe on all rows in each of twelve looks; each story at 320 px and with large texts | each rule on twelve rows in the look of the story; each story at 360 px |
 * | stories with the tag `deep`: most of the quota lab and the theme builder | one or two of each, and the tests of their figures |
 * | every host page | two of them |
 * | every story in a translated page | those with the tag `translated`, whose texts change most |
 */
const deepTests = {
  node: ['test/runtimes/*.test.ts', 'test/redis/outages.test.ts', 'test/bench/calm/calm.test.ts'],
  browser: ['test/playground/themeBuilder.browser.test.tsx'],
  /** The playground as it is published, whose build alone takes a core for a minute; and apps that Vite builds. */
  pages: ['test/{playground,pictures}/*.page.test.ts', 'test/pages/{vite,tailwind}.page.test.ts'],
}
/** Every test whose number of runs is `FAST_CHECK_RUNS`, or which has more cases where that is large. */
const propertyTests = [
  'test/{rate-limit,contract}/**/*.test.ts',
  'test/client/replay.properties.test.ts',
  'test/server/{fairness.properties,cache.properties,processes.properties}.test.ts',
]

/** They end what hangs. A machine that does ten other things takes fifteen times as long as an idle one. In ms. */
const patient = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } }

// Worlds and elements are made and dropped by the million: with 16 MB for what is new, threads collect garbage all the time.
setFlagsFromString('--max-semi-space-size=64')
const cores = availableParallelism()
/** After the unit tests: these projects run at the same time, and each of their workers keeps a browser busy. */
const withBrowser = { ...patient, maxWorkers: Math.max(2, Math.floor(cores / 2)), sequence: { groupOrder: 1 } }

const testFiles = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path.replaceAll('\\', '/')}`)
  .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes('node_modules'))
const mocksModules = (path: string) =>
  /\bvi\.(?:do)?[mM]ock\(/.test(readFileSync(join(import.meta.dirname, path), 'utf8'))

interface UnitTests {
  readonly test: Omit<NonNullable<Project['test']>, 'exclude' | 'setupFiles'>
  readonly exclude?: readonly string[]
  readonly setupFiles?: readonly string[]
  readonly resolve?: NonNullable<Project['resolve']>
}

/**
 * The files of a worker share one thread, since starting one with jsdom takes longer than most files. Files that mock
 * modules get a thread each, in a project of their own: a worker never forgets a mock.
 */
function unitProjects(name: string, { test, exclude = [], setupFiles = [], resolve = {} }: UnitTests): Project[] {
  return [false, true].map((isolate) => ({
    extends: true,
    resolve,
    test: {
      ...patient,
      ...test,
      name: isolate ? `${name}-mocks` : name,
      isolate,
      exclude: [
        ...exclude,
        ...inBrowser,
        ...steerBrowser,
        ...testFiles.filter((path) => mocksModules(path) !== isolate),
      ],
      setupFiles: [...(isolate ? [] : ['test/startFresh.ts']), ...setupFiles],
      pool: 'threads', // processes take a tenth more processor time
      // Some tests wait for real time, and Vitest's default leaves one core idle, half of a small machine.
      maxWorkers: Math.max(3, cores - 1),
      sequence: { groupOrder: 0 },
    },
  }))
}

const react18 = (name: string) => `${import.meta.dirname}/test/react-18/node_modules/${name}`

const launchOptions = await chromiumLaunchOptions()
/** A new object at each call: Vitest writes into the one it is given, so projects cannot share it. */
const chromium = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  fileParallelism: cores > 2,
  provider: playwright({ launchOptions }),
  instances: [{ browser: 'chromium' as const }],
})

export default defineConfig(({ mode }) => {
  const isDeep = mode === 'deep'
  const reports = process.env['TEST_REPORTS'] // `.ci/run` sums them up

  const node = unitProjects('node', {
    test: {
      environment: 'node',
      include: isDeep ? [...propertyTests, ...deepTests.node] : ['test/**/*.test.ts', ...onServer],
      env: isDeep ? {} : { FAST_CHECK_RUNS: process.env['FAST_CHECK_RUNS'] ?? '100' },
    },
    exclude: isDeep ? [] : ['test/{hooks,components}/**/*.test.ts', ...deepTests.node],
  })
  const inReact = isDeep
    ? unitProjects('react-18', {
        test: {
          environment: 'jsdom',
          include: reactTests,
          server: { deps: { inline: ['@testing-library/react', 'swr'] } },
        },
        setupFiles: ['test/timeouts.ts'],
        resolve: {
          mainFields: ['module'], // Testing Library's ES module: aliases do not reach into CommonJS
          alias: [
            { find: /^(react|react-dom)(?=\/|$)/, replacement: react18('$1') },
            { find: /^use-sync-external-store\/shim.*/, replacement: react18('react') },
          ],
        },
      })
    : unitProjects('react-19', {
        test: { environment: 'jsdom', include: reactTests },
        exclude: onServer,
        setupFiles: ['test/timeouts.ts'],
      })
  const browser: Project = {
    extends: true,
    test: {
      ...withBrowser,
      name: 'browser',
      env: isDeep ? { ALL_HOSTS: 'yes' } : {},
      include: isDeep ? [...deepTests.browser, 'test/styles/hosts.browser.test.tsx'] : inBrowser,
      exclude: isDeep ? [] : deepTests.browser,
      setupFiles: ['test/timeouts.ts'],
      browser: chromium(),
    },
  }
  const pages: Project = {
    extends: true,
    test: {
      ...withBrowser,
      name: 'pages',
      environment: 'node',
      include: isDeep ? deepTests.pages : steerBrowser,
      exclude: isDeep ? [] : deepTests.pages,
      globalSetup: ['test/playground/serve.ts'],
    },
  }
  const storybook: Project = {
    extends: true,
    plugins: [storybookTest({ configDir: '.storybook', tags: { exclude: isDeep ? [] : ['deep'] } })],
    test: {
      ...withBrowser,
      name: 'storybook',
      isolate: false, // Each story has a service of its own.
      browser: chromium(),
    },
  }

  /** The stories once more, in a page that a translator changes all the time (`.storybook/translatePage.ts`). */
  const translated: Project = {
    ...storybook,
    plugins: [storybookTest({ configDir: '.storybook', tags: { include: [isDeep ? 'test' : 'translated'] } })],
    test: { ...storybook.test, name: 'translated', env: { TRANSLATED: 'yes' }, browser: chromium() },
  }

  return {
    plugins: [react()],
    // Bundle browser dependencies afresh each run: with a warm cache a newly imported package reloads the page mid-run.
    optimizeDeps: { force: true },
    test: {
      experimental: { fsModuleCache: true }, // transforming takes a seventh of the unit tests' processor time
      reporters: reports ? ['default', ['json', { outputFile: join(reports, `${mode}.json`) }]] : ['default'],
      projects: [...node, ...inReact, browser, pages, storybook, translated],
    },
  }
})
