import { readFileSync } from 'node:fs'
import * as testingLibrary from '@testing-library/react'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import * as react from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import * as swr from 'swr'
import { transformWithOxc } from 'vite'
import { afterEach, expect, test, vi } from 'vitest'
import * as zod from 'zod/mini'
import * as client from '../../src/client.ts'
import * as devtools from '../../src/devtools.ts'
import { defineOperation, int64 } from '../../src/index.ts'
import * as index from '../../src/index.ts'
import * as de from '../../src/labels/de.ts'
import * as server from '../../src/server.ts'
import * as testing from '../../src/testing.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { renderWithPetstore } from '../../src/testing/react.ts'
import * as testingReact from '../../src/testing/react.ts'

// What readers copy from README.md, the skill and some guides runs here as it stands there. `examples.test.ts` compiles it with all types.

const modules: Readonly<Record<string, object>> = {
  'petstore-react': index,
  'petstore-react/client': client,
  'petstore-react/devtools': devtools,
  'petstore-react/locales/de': de,
  'petstore-react/server': server,
  'petstore-react/testing': testing,
  'petstore-react/testing/react': testingReact,
  '@testing-library/react': testingLibrary,
  '@testing-library/user-event': { default: userEvent },
  react,
  'react/jsx-runtime': jsxRuntime,
  swr,
  'zod/mini': zod,
}

type Program = Readonly<Record<string, unknown>>

/** Runs the code block of a page that contains a text, and returns what it declares at its top level. */
async function run(page: string, text: string, more: Readonly<Record<string, object>> = {}): Promise<Program> {
  const blocks = Array.from(readFileSync(page, 'utf8').matchAll(/^```tsx?\n(.*?)^```/gms), ([, code = '']) => code)
  const [block, another] = blocks.filter((code) => code.includes(text))
  if (block === undefined || another !== undefined) throw new Error(`Not one block of ${page} contains ${text}.`)
  const { code } = await transformWithOxc(block, 'program.tsx', { jsx: { runtime: 'automatic', development: false } })
  const names = Array.from(
    code.matchAll(/^(?:export )?(?:async )?(?:function|const) (?:(\w+)|\{ ([^}]+) \})/gm),
    ([, name = '', several = name]) => several,
  )
  const body = code
    .replaceAll(/^import "[^"]+\.css";$/gm, '')
    .replaceAll(/^import (\w+) from ("[^"]+");$/gm, 'const { default: $1 } = modules[$2];')
    .replaceAll(/^import \* as (\w+) from ("[^"]+");$/gm, 'const $1 = modules[$2];')
    .replaceAll(/^import \{([^}]*)\} from ("[^"]+");$/gm, (_, list: string, from: string) => {
      return `const {${list.replaceAll(' as ', ': ')}} = modules[${from}];`
    })
    .replaceAll(/^export \{[^}]*\};$/gm, '')
    .replaceAll(/^export /gm, '')
  const AsyncFunction = Object.getPrototypeOf(run).constructor
  const program: unknown = await new AsyncFunction('modules', `${body}\nreturn { ${names.join(', ')} }`)({
    ...modules,
    ...more,
  })
  return Object(program)
}

/** A component of a program, to be rendered with props that its block names. */
function componentOf(program: Program, name: string): (props: Record<string, unknown>) => react.ReactNode {
  const component = program[name]
  if (typeof component !== 'function') throw new Error(`The block declares no ${name}.`)
  return (props) => component(props)
}

/** Lets the service respond at each address. On the page's own origin it stands behind a server that adds the key. */
function stubNetwork(service: PetstoreService): void {
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!request.url.includes('/api/petstore/')) return service.fetch(request)
    const { method } = request
    const body = method === 'GET' ? null : await request.text()
    const headers = { ...Object.fromEntries(request.headers), Authorization: 'Bearer demo' }
    return service.fetch(request.url.replace('/api/petstore', ''), { method, headers, body })
  }
  vi.stubGlobal('fetch', send)
}

const rows = async (...names: readonly string[]) => {
  for (const name of names) expect((await screen.findAllByText(name)).length).toBeGreaterThan(0)
}

const twoPets = () => createPetstoreService({ categories: [{ name: 'Dog' }, { name: 'Cat' }] })

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

const readme = 'README.md'
const skill = 'skills/petstore-react/SKILL.md'

test('README: a first component lists the categories and creates one', async () => {
  const service = twoPets()
  stubNetwork(service)
  const App = componentOf(await run(readme, 'export const App = ({ apiKey }'), 'App')
  render(<App apiKey="demo" />)
  await rows('Dog', 'Cat')
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Rabbit{Enter}')
  await rows('Rabbit')
  expect(service.requests.map(({ operation }) => operation)).toEqual(['listCategories', 'createCategory'])
})

test('README: a composer in German sends a message', async () => {
  const service = createPetstoreService()
  stubNetwork(service)
  const Compose = componentOf(await run(readme, 'export const Compose'), 'Compose')
  render(<Compose />)
  await userEvent.type(screen.getByRole('textbox', { name: 'Nachricht' }), 'Hallo')
  await userEvent.click(screen.getByRole('button', { name: 'Senden' }))
  await waitFor(() => expect(service.requests).toMatchObject([{ operation: 'sendMessage' }]))
})

test('README: a route of Next adds the key of the server', async () => {
  const service = createPetstoreService({ keys: ['of-the-server'], categories: [{ name: 'Dog' }] })
  stubNetwork(service)
  vi.stubEnv('PETSTORE_API_KEY', 'of-the-server')
  vi.stubGlobal('readSession', async () => ({ userId: 'ann' }))
  const { GET } = await run(readme, '= toRouteHandlers(handler)')
  if (typeof GET !== 'function') throw new Error('The block declares no GET.')
  const headers = { 'Petstore-Priority': 'user' }
  const response: Response = await GET(new Request('https://app.test/api/petstore/v1/categories', { headers }))
  expect(await response.json()).toMatchObject([{ name: 'Dog' }])
})

test('README: an interface of one’s own lists the categories and adds one', async () => {
  const service = twoPets()
  const Names = componentOf(await run(readme, 'const { trigger, isMutating }'), 'Names')
  renderWithPetstore(<Names />, { service })
  await rows('Dog, Cat')
  await userEvent.click(screen.getByRole('button', { name: 'Add rabbit' }))
  await rows('Dog, Cat, Rabbit')
  expect(service.categories()).toHaveLength(3)
})

test('guide: a page prepared on a server shows its rows at once, and asks for nothing', async () => {
  const guide = 'docs/server-rendering.md'
  const service = twoPets()
  stubNetwork(service)
  const { loadCategories } = await run(guide, 'export async function loadCategories')
  if (typeof loadCategories !== 'function') throw new Error('The block declares no loadCategories.')
  const Categories = componentOf(await run(guide, 'export function Categories('), 'Categories')
  render(<Categories prefetched={await loadCategories('demo', 'ann')} userId="ann" />)
  expect(screen.getAllByText('Dog').length).toBe(1)
  expect(service.requests.map(({ operation }) => operation)).toEqual(['listCategories'])
})

test('guide: a program without React creates a category', async () => {
  const service = createPetstoreService({ keys: ['your-key'] })
  stubNetwork(service)
  await run('docs/errors.md', "client.createCategory({ name: 'Rabbit' })")
  expect(service.requests).toMatchObject([{ operation: 'createCategory', status: 201 }])
})

test('README: a test of an app finds the row', async () => {
  const { service } = await run(readme, "service.failNext({ operation: 'createCategory', status: 500 })")
  expect(service).toMatchObject({ requests: [{ operation: 'listCategories', status: 200 }] })
})

test('skill: an outbox sends a message', async () => {
  const service = createPetstoreService()
  const Outbox = componentOf(await run(skill, 'export function Outbox'), 'Outbox')
  renderWithPetstore(<Outbox />, { service })
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(service.messages()).toMatchObject([{ message: 'Please feed the rabbits.' }]))
})

test('skill: an operation of one’s own and a creation avoid five mistakes', async () => {
  const program = await run(skill, 'export function AddToyAsCategory')
  const getToy = defineOperation({
    name: 'getToy',
    path: '/toys/{toyId}',
    input: zod.any(),
    output: zod.object({ id: int64 }),
  })
  const service = createPetstoreService({
    categories: 0,
    operations: [{ operation: getToy, handle: () => ({ body: { id: 9007199254740993n, name: 'Ball' } }) }],
  })
  const AddToy = componentOf(program, 'AddToyAsCategory')
  renderWithPetstore(<AddToy toyId="9007199254740993" />, { service })
  await userEvent.click(await screen.findByRole('button', { name: 'Add Ball' }))
  await waitFor(() => expect(service.categories().map(({ name }) => name)).toEqual(['Ball']))
})

test('skill: its tests pass', async () => {
  const tests: (() => Promise<void>)[] = []
  await run(skill, "test('creates a category'", {
    vitest: { expect, test: (_: string, body: () => Promise<void>) => tests.push(body) },
  })
  expect(tests).toHaveLength(2)
  for (const body of tests) {
    await body()
    cleanup()
  }
})
