import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import { playwright } from '@vitest/browser-playwright'
import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { chromiumLaunchOptions } from './test/chromium.ts'

const browserTests = ['test/**/*.browser.test.{ts,tsx}']
/** Tests in Node that steer a browser: with several tabs, or on pages as a server sends them. */
const pageTests = ['test/**/*.{tabs,page}.test.{ts,tsx}']
/** Those that need the playground as it is published. Its build alone takes a core for a minute. */
const playgroundTests = ['test/{playground,pictures}/*.page.test.ts']
const reactTests = [
  'test/{hooks,components}/**/*.test.{ts,tsx}',
  'test/devtools/*.test.tsx',
  'test/soak/oneDay.test.tsx',
]
/** They wait for real time or play for minutes, and few changes can break them without breaking others. */
const slowTests = ['test/runtimes/*.test.ts', 'test/redis/outages.test.ts', 'test/bench/calm/calm.test.ts']
const slowBrowserTests = ['test/playground/themeBuilder.browser.test.tsx']
/** It has more cases in deep mode. */
const deeperBrowserTests = ['test/styles/hosts.browser.test.tsx']
/** They build apps, as the consumers do. */
const slowPageTests = ['test/pages/{vite,tailwind}.page.test.ts']
/** Every test whose number of runs is `FAST_CHECK_RUNS`, or which has more cases where that is large, is in here. */
const propertyTests = [
  'test/{rate-limit,contract,exhaustive}/**/*.test.ts',
  'test/client/replay.properties.test.ts',
  'test/server/{fairness.properties,cache.properties,fleetHandlers,visitorKeys}.test.ts',
]

const testFiles = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes('node_modules'))
  .map((path) => `test/${path.replaceAll('\\', '/')}`)
const textOf = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const mocksModules = (path: string) => /\bvi\.(?:do)?[mM]ock\(/.test(textOf(path))
const filesWithoutDom = new Set(
  testFiles
    .filter((path) => textOf(path).startsWith('// @vitest-environment node'))
    .map((path) => join(import.meta.dirname, path)),
)

/** In each project, files without a DOM last: a thread whose next file needs another environment ends, and a new one starts. */
class EnvironmentSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    const place = ({ project, moduleId }: TestSpecification) =>
      2 * projects.indexOf(project) + Number(filesWithoutDom.has(moduleId))
    return sorted.toSorted((one, other) => place(one) - place(other))
  }
}

// Worlds and elements are made and dropped by the million: with 16 MB for what is new, threads collect garbage all the time.
setFlagsFromString('--max-semi-space-size=64')

const cores = availableParallelism()
/**
 * In threads, since processes take a tenth more processor time. Three at least: some tests wait for real time, and Vitest's
 * default leaves one core idle, half of a small machine.
 */
const unitTests = { pool: 'threads', maxWorkers: Math.max(3, cores - 1), sequence: { groupOrder: 0 } } as const
/** After the unit tests: the projects of this group run at the same time, and each of their workers keeps a browser busy. */
const testsInBrowsers = { maxWorkers: Math.max(2, Math.floor(cores / 2)), sequence: { groupOrder: 1 } }

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

type Project = TestProjectInlineConfiguration
interface UnitTests extends Omit<NonNullable<Project['test']>, 'exclude' | 'setupFiles'> {
  readonly exclude?: string[]
  readonly setupFiles?: string[]
}

/**
 * The files of a worker share one thread, since starting one with jsdom takes longer than most files. Files that mock
 * modules get a thread each, in a project of their own: a worker never forgets a mock.
 */
function unitProjects(name: string, { exclude = [], setupFiles = [], ...test }: UnitTests, rest?: Project): Project[] {
  const common = { ...rest, extends: true as const }
  const skipped = [...exclude, ...browserTests, ...pageTests]
  return [
    {
      ...common,
      test: {
        benchmark: { include: [] },
        ...test,
        ...unitTests,
        name,
        isolate: false,
        exclude: [...skipped, ...testFiles.filter(mocksModules)],
        setupFiles: ['test/startFresh.ts', ...setupFiles],
      },
    },
    {
      ...common,
      test: {
        ...test,
        ...unitTests,
        name: `${name}-mocks`,
        exclude: [...skipped, ...testFiles.filter((path) => !mocksModules(path))],
        setupFiles,
        benchmark: { include: [] },
      },
    },
  ]
}

/** They end what hangs. A machine that does ten other things takes fifteen times as long as an idle one. In ms. */
const patient = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } }
const inJsdom = { environment: 'jsdom', setupFiles: ['test/timeouts.ts'], ...patient }

const react18 = (name: string) => `${import.meta.dirname}/test/react-18/node_modules/${name}`
const resolveReact18 = {
  mainFields: ['module'], // Testing Library's ES module: aliases do not reach into CommonJS
  alias: [
    { find: /^(react|react-dom)(?=\/|$)/, replacement: react18('$1') },
    { find: /^use-sync-external-store\/shim.*/, replacement: react18('react') },
  ],
}

/**
 * `vitest run` is the daily set. `vitest run --mode deep` runs what takes too long for that. `publint` and `attw` follow it:
 *
 * | In deep alone | What guards it daily |
 * | --- | --- |
 * | 10,000 runs of a property | its first 100 runs, since the seed is the same |
 * | 100,000 states of each world of `test/exhaustive` | its first 1,000 states |
 * | several seeds, paces and lengths of a fleet's visitors | one of them for each number of processes |
 * | hooks and components on React 18 | all of them on React 19 |
 * | calm worlds beside plain `fetch`; outages of Redis; Workers | the properties; what a store does that fails; `handler` in Node |
 * | the theme builder | `themeCss` |
 * | the styles in apps for Vite and Tailwind | `csp`; the tests of tokens and styles |
 * | each rule of axe in each of twelve looks | each rule in the look of the story; `themeCss` has the contrast of all looks |
 * | axe on all rows of a list | on the first twelve, which have the same markup |
 * | stories with the tag `deep`: most of the quota lab and the theme builder | one or two of each; `quotaLab` has the figures of all traffic, `themeCss` the contrast of all themes |
 * | each story at 320 px, and a look for cut texts at twice their size | each story at 360 px with texts of twice the size, and a look for cut texts at their own |
 * | the playground as it is published: toolbar, search, docs pages, pictures, each story in four languages | each story by itself in Chromium; `labels` in all languages; `test/docs` compiles the code that the pages show |
 */
export default defineConfig(({ mode }) => {
  const isDeep = mode === 'deep'
  const reports = process.env['TEST_REPORTS'] // `.ci/run` sums them up
  const dailyRuns = { FAST_CHECK_RUNS: process.env['FAST_CHECK_RUNS'] ?? '100' }

  const node = unitProjects('node', {
    environment: 'node',
    ...patient,
    include: isDeep ? [...propertyTests, ...slowTests] : ['test/**/*.test.ts'],
    exclude: isDeep ? reactTests : [...reactTests, ...slowTests],
    env: isDeep ? {} : dailyRuns,
    benchmark: { include: ['test/bench/**/*.bench.ts'] },
  })
  const react18Projects = unitProjects(
    'react-18',
    {
      ...inJsdom,
      include: reactTests,
      server: { deps: { inline: ['@testing-library/react', 'swr'] } },
    },
    { resolve: resolveReact18 },
  )
  const storybook: Project = {
    extends: true,
    plugins: [storybookTest({ configDir: '.storybook', tags: { exclude: isDeep ? [] : ['deep'] } })],
    test: {
      name: 'storybook',
      isolate: false, // Each story has a service of its own.
      browser: chromium(),
      testTimeout: 180_000,
      benchmark: { include: [] },
      ...testsInBrowsers,
    },
  }
  const pages: Project = {
    extends: true,
    test: {
      name: 'pages',
      environment: 'node',
      include: isDeep ? [...playgroundTests, ...slowPageTests] : pageTests,
      exclude: isDeep ? [] : [...playgroundTests, ...slowPageTests],
      globalSetup: ['test/playground/serve.ts'],
      testTimeout: 180_000,
      hookTimeout: 180_000,
      benchmark: { include: [] },
      ...testsInBrowsers,
    },
  }
  const browser: Project = {
    extends: true,
    test: {
      name: 'browser',
      env: isDeep ? { ALL_HOSTS: 'yes' } : {},
      include: isDeep ? [...slowBrowserTests, ...deeperBrowserTests] : browserTests,
      exclude: isDeep ? [] : slowBrowserTests,
      setupFiles: ['test/timeouts.ts'],
      ...patient,
      browser: chromium(),
      benchmark: { include: [] },
      ...testsInBrowsers,
    },
  }
  const inReact = isDeep ? react18Projects : unitProjects('react-19', { ...inJsdom, include: reactTests })

  return {
    plugins: [react()],
    // Bundle browser dependencies afresh each run: with a warm cache a newly imported package reloads the page mid-run.
    optimizeDeps: { force: true },
    test: {
      experimental: { fsModuleCache: true }, // transforming takes a seventh of the unit tests' processor time
      reporters: reports ? ['default', ['json', { outputFile: join(reports, `${mode}.json`) }]] : ['default'],
      sequence: { sequencer: EnvironmentSequencer },
      projects: [...node, ...inReact, browser, pages, storybook],
    },
  }
})
