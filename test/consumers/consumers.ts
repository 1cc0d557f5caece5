import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import type { PetstoreService, PetstoreServiceOptions } from '../../src/testing.ts'
import { createRabbit, rows } from './createRabbit.ts'
import { serverKey, type Visit } from './Visit.ts'
import { visitFleet } from './visitFleet.ts'

interface AppWithPages {
  readonly name: string
  /** How many servers the app has. Default 1. */
  readonly servers?: number
  readonly needsRedis?: boolean
  /** What the test makes the page complain about. */
  readonly expectedProblem?: RegExp
  readonly service?: PetstoreServiceOptions
  readonly visit: (visit: Visit) => Promise<void>
}

interface Program {
  readonly name: string
  readonly verify: (output: string, service: PetstoreService) => void
}

/** An app that is built from the text of `docs/frameworks.md` alone. Its folder has only the versions to install. */
interface FrameworkApp extends AppWithPages {
  /** The heading of its section. */
  readonly guide: string
}

/** An app with tests of its own, in another runner than ours. */
interface AppWithTests {
  readonly name: string
  readonly hasTests: true
}

/** A server for each of several runtimes, which all give the responses of `test/server/handlerScript.ts`. */
interface AppWithRuntimes {
  readonly name: string
  /** A program below `node_modules` and its arguments, which the port follows. */
  readonly runtimes: Readonly<Record<string, readonly [program: string, ...args: string[]]>>
  readonly service: PetstoreServiceOptions
}

export type Consumer = AppWithPages | AppWithRuntimes | AppWithTests | FrameworkApp | Program

export const consumers: readonly Consumer[] = [
  {
    name: 'vite-react-19',
    async visit({ page, url, service, baseUrl }) {
      const readme = readFileSync('README.md', 'utf8')
      for (const example of ['App.tsx', 'Compose.tsx']) {
        const code = readFileSync(`test/consumers/vite-react-19/src/${example}`, 'utf8')
        assert(readme.includes(code), `README.md does not contain the tested code of ${example}.`)
      }
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
    },
  },
  {
    name: 'vite-react-18',
    async visit({ page, url, service }) {
      await page.goto(url)
      await createRabbit(page)
      await page.getByText('Dog, Cat, Rabbit').waitFor()
      await page.getByRole('button', { name: 'Add hamster' }).click()
      await rows(page).filter({ hasText: 'Hamster' }).waitFor()
      assert.deepEqual(operationsOf(service), ['listCategories', 'createCategory', 'createCategory'])
    },
  },
  {
    name: 'vite',
    guide: 'Vite',
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
    },
  },
  { name: 'react-router', guide: 'React Router', visit: visitServerRenderedPage },
  { name: 'astro', guide: 'Astro', visit: visitServerRenderedPage },
  { name: 'tanstack-start', guide: 'TanStack Start', visit: visitServerRenderedPage },
  {
    // Next builds this page, which no server prepares, ahead of all visits.
    name: 'next-static',
    async visit({ page, url, service }) {
      const response = await fetch(url)
      assert.match(response.headers.get('x-nextjs-prerender') ?? '', /^1/, 'The page is not static.')
      assert((await response.text()).includes('Loading categories…'), 'The HTML contains no list.')
      assert.deepEqual(operationsOf(service), [])

      await page.goto(url)
      await page.getByText('Names: Dog, Cat').waitFor()
      await createRabbit(page)
      await page.getByText('Names: Dog, Cat, Rabbit').waitFor()
      await page.waitForLoadState('networkidle')
      assert.deepEqual(operationsOf(service), ['listCategories', 'createCategory'])
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
  {
    // Parcel reads `exports` only where the app asks for it.
    name: 'parcel',
    async visit({ page, url, service, baseUrl }) {
      await serveExampleAddress(page, baseUrl)
      await page.goto(url)
      await createRabbit(page)
      assert.deepEqual(operationsOf(service), ['listCategories', 'createCategory'])
    },
  },
  {
    name: 'tailwind',
    async visit({ page, url }) {
      await page.goto(url)
      await createRabbit(page)
      const styleOf = (selector: string, property: string) =>
        page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
      assert.equal(await styleOf('body', 'margin-top'), '0px', 'Tailwind’s reset is missing.')
      const border = await styleOf('.petstore-category-form input[name=name]', 'border-top-width')
      assert.equal(border, '1px', 'Tailwind’s reset overrides our styles.')
      assert.equal(
        await styleOf('.petstore-category-form [type=submit]', 'padding-left'),
        '32px',
        'A utility class does not override our styles.',
      )
    },
  },
  {
    name: 'handler',
    runtimes: {
      Bun: ['@oven/bun-linux-x64/bin/bun', 'dist/bun.js'],
      Deno: ['@deno/linux-x64-glibc/deno', 'run', '--allow-net', '--allow-env', '--allow-read', 'dist/deno.js'],
    },
    service: { categories: [{ id: '9007199254740993', name: 'Dög' }], firstId: '9223372036854775807' },
  },
  { name: 'jest', hasTests: true },
  {
    name: 'node-script',
    verify(output, service) {
      assert.equal(
        output,
        [
          'created Rabbit',
          'listed 1 Dog, 2 Cat, 3 Rabbit',
          'refused authentication',
          'own 9007199254740993 Dog',
          'own rate-limit',
          'own service received 1 request',
          '',
        ].join('\n'),
      )
      assert.deepEqual(operationsOf(service), ['createCategory', 'listCategories', 'listCategories'])
    },
  },
]

/** The address of the examples in README.md. */
const exampleAddress = 'https://your-petstore-host/v1'

async function serveExampleAddress(page: Page, baseUrl: string): Promise<void> {
  await page.route(`${exampleAddress}/**`, async (route) => {
    const there = route.request().url().replace(exampleAddress, baseUrl)
    await route.fulfill({ response: await route.fetch({ url: there }) })
  })
}

/** The rows are in the HTML of the server, and the page asks for nothing that it has got with them. */
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

/** The operations that the service received, without preflights. */
const operationsOf = (service: PetstoreService): string[] =>
  service.requests.flatMap(({ operation }) => operation ?? [])
