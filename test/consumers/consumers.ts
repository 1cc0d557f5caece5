import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import type { PetstoreService, PetstoreServiceOptions } from '../../src/testing.ts'
import { createRabbit, rows } from './createRabbit.ts'
import { serverKey, type Visit } from './Visit.ts'
import { visitFleet } from './visitFleet.ts'

interface App {
  readonly name: string
  /** The app's folder. Default: `name`. */
  readonly folder?: string
  /** Packages that it installs in place of those of its `package.json`. */
  readonly packages?: readonly string[]
}

interface AppWithPages extends App {
  /** How many servers the app has. Default 1. */
  readonly servers?: number
  readonly needsRedis?: boolean
  /** Matches the messages in the console that the test causes on purpose. */
  readonly expectedProblem?: RegExp
  readonly service?: PetstoreServiceOptions
  /** The heading of a section of `docs/frameworks.md`: the app is built from its text alone. */
  readonly guide?: string
  readonly visit: (visit: Visit) => Promise<void>
}

/** A program without pages, and tests in another runner than Vitest. */
interface Program extends App {
  /** Runtimes other than Node, by path below `node_modules`, with arguments. One that is not for this system is left out. */
  readonly runtimes: readonly (readonly [program: string, ...args: string[]])[]
  readonly verify: (output: string, service: PetstoreService) => void
}

export type Consumer = AppWithPages | Program

export const consumers: readonly Consumer[] = [
  {
    name: 'vite',
    async visit(visit) {
      const readme = readFileSync('README.md', 'utf8')
      for (const example of ['App.tsx', 'Compose.tsx']) {
        const code = readFileSync(`test/consumers/vite/src/${example}`, 'utf8')
        assert(readme.includes(code), `README.md does not contain the tested code of ${example}.`)
      }
      await visitExamples(visit)
    },
  },
  {
    name: 'vite-react-18',
    folder: 'vite',
    packages: [
      'react@18.3.1',
      'react-dom@18.3.1',
      '@types/react@18.3.8',
      '@types/react-dom@18.3.7',
      'typescript@6.0.3',
    ],
    visit: visitExamples,
  },
  {
    name: 'vite-guide',
    folder: 'vite',
    guide: 'Vite',
    packages: ['typescript@5.9.3'],
    async visit({ page, url, service }) {
      await page.goto(url)
      await createRabbit(page)
      assert.deepEqual(operationsOf(service), ['listCategories', 'createCategory'])
    },
  },
  {
    name: 'next',
    guide: 'Next',
    async visit(visit) {
      await visitServerRenderedPage(visit)
      await visit.page.getByText('Names: Dog, Cat, Rabbit').waitFor()
      await visitStaticPage(visit)
      await visitMembersPage(visit)
    },
  },
  {
    name: 'tailwind',
    async visit({ page, url }) {
      const styleOf = (selector: string, property: string) =>
        page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
      await page.goto(url)
      await createRabbit(page)
      assert.equal(await styleOf('body', 'margin-top'), '0px', 'Tailwind’s reset is missing.')
      assert.equal(await styleOf(nameField, 'border-top-width'), '1px', 'Tailwind’s reset overrides our styles.')
      assert.equal(await styleOf(submit, 'padding-left'), '32px', 'A utility class does not override our styles.')
    },
  },
  {
    name: 'node',
    runtimes: [
      ['@oven/bun-linux-x64/bin/bun', 'run'],
      ['@deno/linux-x64-glibc/deno', 'run', '--no-prompt', '--allow-net=127.0.0.1', '--allow-env', '--allow-read'],
    ],
    verify(output, service) {
      assert.equal(
        output,
        [
          'created Rabbit',
          'listed 1 Dog, 2 Cat, 3 Rabbit',
          'refused authentication',
          'handler 200 3 rows',
          'handler 403',
          'own 9007199254740993 Dog',
          'own rate-limit',
          'own service received 1 request',
          '',
        ].join('\n'),
      )
      assert.deepEqual(operationsOf(service), ['createCategory', 'listCategories', 'listCategories', 'listCategories'])
    },
  },
  {
    name: 'fleet',
    servers: 2,
    needsRedis: true,
    service: { plan: [{ limit: 20, per: 6_000 }] },
    expectedProblem: /the server responded with a status of 429/,
    visit: visitFleet,
  },
]

const nameField = '.petstore-category-form input[name=name]'
const submit = '.petstore-category-form [type=submit]'

/** The first two examples of README.md. */
async function visitExamples({ page, url, service, baseUrl }: Visit): Promise<void> {
  await serveExampleAddress(page, baseUrl)
  await page.goto(url)
  await createRabbit(page)
  assert.deepEqual(operationsOf(service), ['listCategories', 'createCategory'])

  await page.getByRole('textbox', { name: 'Nachricht' }).fill('Hallo')
  await page.getByRole('button', { name: 'Senden' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Hallo' }).getByText('In der Warteschlange').waitFor()
  assert.deepEqual(
    service.messages().map(({ message }) => message),
    ['Hallo'],
  )
}

/** The address of the examples in README.md. */
const exampleAddress = 'https://your-petstore-host/v1'

async function serveExampleAddress(page: Page, baseUrl: string): Promise<void> {
  await page.route(`${exampleAddress}/**`, async (route) => {
    const url = route.request().url().replace(exampleAddress, baseUrl)
    await route.fulfill({ response: await route.fetch({ url }) })
  })
}

/** Checks that the server's HTML has the rows, and that the page does not request them again. */
async function visitServerRenderedPage({ page, url, service }: Visit): Promise<void> {
  const html = await (await fetch(url)).text()
  const markup = html.replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, '')
  for (const name of ['Dog', 'Cat']) assert(markup.includes(name), `The HTML does not contain ${name}.`)
  assert(!html.includes(serverKey), 'The HTML contains the API key.')
  assert.deepEqual(operationsOf(service), ['listCategories'])

  await page.goto(url)
  await page.waitForLoadState('networkidle')
  // The server rendered two pages, and the page itself sent nothing.
  assert.deepEqual(operationsOf(service), ['listCategories', 'listCategories'])

  await createRabbit(page)
  await page.waitForLoadState('networkidle')
  assert.deepEqual(operationsOf(service).slice(2), ['createCategory'])
}

/** Visits a page of people who are signed in. The server loads its rows, for the user of the session. */
async function visitMembersPage({ page, url, service }: Visit): Promise<void> {
  const address = new URL('members', url).href
  await page.goto(address)
  await page.getByText('Sign in to see the categories.').waitFor()
  await page.context().addCookies([{ name: 'session', value: 'example', url }])
  const before = service.requests.length
  await page.goto(address)
  await rows(page).filter({ hasText: 'Rabbit' }).waitFor()
  await page.waitForLoadState('networkidle')
  assert.deepEqual(operationsOf(service).slice(before), ['listCategories'])
}

/** Visits a page that Next has built ahead of all visits: no server loads its rows. */
async function visitStaticPage({ page, url, service }: Visit): Promise<void> {
  const before = service.requests.length
  const address = new URL('static', url).href
  const response = await fetch(address)
  assert.match(response.headers.get('x-nextjs-prerender') ?? '', /^1/, 'The page is not static.')
  assert((await response.text()).includes('Loading categories…'), 'The HTML contains no list.')
  assert.equal(service.requests.length, before, 'The static page was loaded from the service.')
  await page.goto(address)
  await rows(page).filter({ hasText: 'Rabbit' }).waitFor()
}

/** The operations that the service received, without preflights. */
const operationsOf = (service: PetstoreService): string[] =>
  service.requests.flatMap(({ operation }) => operation ?? [])
