/**
 * Tests the package in real apps: packs it, installs it in small apps outside this folder, then type-checks, builds and
 * visits them. Arguments: names of apps (default all), and `--lock` to update their lock files instead.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { chromium } from 'playwright'
import { createPetstoreService } from '../../src/testing.ts'
import { listen } from '../../src/testing/node.ts'
import { choose } from '../choose.ts'
import { chromiumLaunchOptions } from '../chromium.ts'
import { hasRedis, startRedis } from '../redis/startRedis.ts'
import { type Consumer, consumers } from './consumers.ts'
import { assertBuildHasNoKey, readFrameworkGuide, writeFrameworkApp } from './frameworkGuide.ts'
import { endPrograms, runProgram, serveProgram } from './programs.ts'
import { serverKey } from './Visit.ts'
import { watchPage } from './watchPage.ts'

const root = process.cwd()
const source = join(root, 'test/consumers')
// Outside the repository, so that apps cannot resolve packages from its node_modules by accident.
const folder = mkdtempSync(join(tmpdir(), 'petstore-consumers-'))

process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
process.once('exit', () => {
  endPrograms()
  rmSync(folder, { recursive: true, force: true })
})

const folderSize = (path: string): number =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(path, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0)
const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(0)} kB`

function pack(): void {
  const [name = ''] = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    encoding: 'utf8',
  }).match(/\S+\.tgz$/m) ?? ['']
  renameSync(join(folder, name), join(folder, 'petstore-react.tgz'))
}

/**
 * Updates an app's lock file. Removing our own entry makes npm read the tarball again. The entry gets no hash, because each
 * tarball is different.
 */
function updateLockFile(name: string): void {
  const cwd = join(folder, name)
  const ours = 'node_modules/petstore-react'
  const read = () => JSON.parse(readFileSync(join(cwd, 'package-lock.json'), 'utf8'))
  const write = (parent: string, lockFile: unknown) =>
    writeFileSync(join(parent, name, 'package-lock.json'), `${JSON.stringify(lockFile, null, 2)}\n`)

  if (existsSync(join(cwd, 'package-lock.json'))) {
    const before = read()
    delete before.packages[ours]
    write(folder, before)
  }
  // An app may require a newer Node than this one, for a server that brings its own runtime.
  const options = [
    '--package-lock-only',
    '--ignore-scripts',
    '--silent',
    '--engine-strict=false',
    '--omit-lockfile-registry-resolved',
  ]
  execFileSync('npm', ['install', ...options], { cwd })
  const after = read()
  delete after.packages[ours].integrity
  write(source, after)
}

/** `npm ci` trusts the lock file's list of our dependencies, which may be outdated. */
function assertLockFileIsCurrent({ name }: Consumer): void {
  const read = (path: string) => JSON.parse(readFileSync(join(folder, name, path), 'utf8'))
  const locked = read('package-lock.json').packages['node_modules/petstore-react']
  const packed = read('node_modules/petstore-react/package.json')
  for (const field of ['dependencies', 'peerDependencies']) {
    assert.deepEqual(locked[field], packed[field], 'The lock file is outdated: npm run test:consumers -- --lock')
  }
}

/** Other versions of Node that the app installs, where they exist for this system. */
const otherNodes = (cwd: string): string[] =>
  readdirSync(join(cwd, 'node_modules'))
    .filter((name) => /^node-\d+$/.test(name))
    .map((name) => join(cwd, 'node_modules', name, 'bin/node'))

const wordsOf = (command: string): string[] => command.split(' ')

const needsRedis = (consumer: Consumer): boolean => 'needsRedis' in consumer && consumer.needsRedis === true

async function testConsumer(consumer: Consumer): Promise<string> {
  const cwd = join(folder, consumer.name)
  const service = createPetstoreService({
    categories: [{ name: 'Dog' }, { name: 'Cat' }],
    keys: ['demo', serverKey],
    plan: 'business',
    ...('service' in consumer && consumer.service),
  })
  const listening = await listen(service)
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    HOST: '127.0.0.1',
    PETSTORE_ORIGIN: listening.origin,
    PETSTORE_URL: listening.baseUrl,
    PETSTORE_QUICKSTART_URL: listening.quickstartBaseUrl,
    PETSTORE_API_KEY: serverKey,
    VITE_PETSTORE_URL: listening.baseUrl,
  }
  const npm = (...args: string[]) => runProgram('npm', args, { cwd, env })

  /** Returns the command that serves the app. */
  async function buildApp(): Promise<readonly string[]> {
    await npm('run', 'check')
    await npm('run', 'build')
    return ['npm', 'run', 'serve', '--']
  }

  async function buildFrameworkApp(title: string): Promise<readonly string[]> {
    const guide = readFrameworkGuide(title)
    writeFrameworkApp(guide, cwd, listening.baseUrl)
    for (const [program = '', ...args] of guide.build.map(wordsOf)) await runProgram(program, args, { cwd, env })
    assertBuildHasNoKey(cwd)
    // Some frameworks generate types while they build.
    await runProgram('npx', ['tsc', '-p', 'check.tsconfig.json'], { cwd, env })
    return wordsOf(guide.start)
  }

  await npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--engine-strict=false')
  assertLockFileIsCurrent(consumer)
  if (consumer.packages) await npm('install', '--save-exact', '--ignore-scripts', '--no-audit', ...consumer.packages)
  await npm('ls', '--all') // fails if versions do not fit, including peers
  const installed = `${kilobytes(folderSize(join(cwd, 'node_modules/petstore-react')))} installed`
  const guide = 'guide' in consumer ? consumer.guide : undefined
  const serve = guide === undefined ? await buildApp() : await buildFrameworkApp(guide)
  const redis = needsRedis(consumer) ? await startRedis() : undefined
  try {
    if ('verify' in consumer) {
      const others = consumer.runtimes.map(([path, ...args]) => [join(cwd, 'node_modules', path), ...args] as const)
      const runtimes = [[process.execPath], ...otherNodes(cwd).map((node) => [node]), ...others]
      const versions: string[] = []
      for (const [program = '', ...args] of runtimes) {
        if (!existsSync(program)) continue // it is not for this system
        service.reset()
        consumer.verify(await runProgram(program, [...args, 'dist/main.js'], { cwd, env }), service)
        const [version = ''] = /\d[\d.]*/.exec(await runProgram(program, ['--version'], { cwd })) ?? []
        versions.push(`${basename(program)} ${version}`)
      }
      const [summary = ''] = /^Tests: .*/m.exec(await npm('test')) ?? []
      return `${installed}, on ${versions.join(', ')}; ${summary}`
    }
    const [server = '', ...args] = serve
    const servers = Array.from({ length: consumer.servers ?? 1 }, () =>
      serveProgram(server, args, { cwd, env: { ...env, REDIS_URL: redis?.url } }),
    )
    const urls = await Promise.all(servers)
    const page = await browser.newPage()
    const watched = watchPage(page, consumer.expectedProblem)
    await consumer.visit({ page, url: urls[0] ?? '', urls, service, baseUrl: listening.baseUrl })
    const scripts = await watched.verify()
    await page.close()
    return `${installed}, ${kilobytes(scripts)} of scripts on the page (gzip)`
  } finally {
    endPrograms()
    await redis?.kill()
    await listening.close()
  }
}

const args = process.argv.slice(2)
const names = args.filter((text) => text !== '--lock')
const chosen = choose(consumers, names, ({ name }) => name, Object.is)
const start = performance.now()
const secondsSince = (time: number) => `${((performance.now() - time) / 1_000).toFixed(0)} s`

pack()
const folderOf = ({ name, folder: other = name }: Consumer) => other
if (args.includes('--lock')) {
  for (const name of new Set(chosen.map(folderOf))) {
    cpSync(join(source, name), join(folder, name), { recursive: true })
    updateLockFile(name)
  }
  process.exit()
}

for (const consumer of chosen)
  cpSync(join(source, folderOf(consumer)), join(folder, consumer.name), { recursive: true })
console.log(`packed in ${secondsSince(start)}, ${kilobytes(statSync(join(folder, 'petstore-react.tgz')).size)}`)
const browser = await chromium.launch(await chromiumLaunchOptions())
let failed = 0
let skipped = 0
for (const consumer of chosen) {
  if (needsRedis(consumer) && !hasRedis) {
    console.log(`${consumer.name}: skipped, because redis-server is missing (Debian package redis-server)`)
    skipped += 1
    continue
  }
  const began = performance.now()
  try {
    const facts = await testConsumer(consumer)
    console.log(`${consumer.name}: ${secondsSince(began)}, ${facts}`)
  } catch (error) {
    console.error(`${consumer.name} failed:`, error instanceof Error ? error.message : error)
    failed += 1
  }
}
await browser.close()
console.log(`${chosen.length} consumers in ${secondsSince(start)}`)

const reports = process.env['TEST_REPORTS'] // `.ci/run` sums them up
if (reports) {
  // The fields of Vitest's reports that are summed.
  const passed = chosen.length - failed - skipped
  const counts = { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped }
  writeFileSync(join(reports, 'consumers.json'), JSON.stringify({ ...counts, testResults: [] }))
}
process.exit(failed > 0 ? 1 : 0) // the services of failed apps still listen
