import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, int64, operations } from '../../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { renderWithPetstore } from '../../src/testing/react.ts'
import { componentOf, runProgram } from './runProgram.ts'

/** Sends each request to the service. Below `/api/petstore/`, the app's own server adds the key `demo` first. */
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

const expectRows = async (...names: readonly string[]) => {
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
  const App = componentOf(await runProgram(readme, 'export const App = ({ apiKey }'), 'App')
  render(<App apiKey="demo" />)
  await expectRows('Dog', 'Cat')
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Rabbit{Enter}')
  await expectRows('Rabbit')
  expect(service.requests.map(({ operation }) => operation)).toEqual(['listCategories', 'createCategory'])
})

test('README: a composer in German sends a message', async () => {
  const service = createPetstoreService()
  stubNetwork(service)
  const Compose = componentOf(await runProgram(readme, 'export const Compose'), 'Compose')
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
  const { GET } = await runProgram(readme, '= toRouteHandlers(handler)')
  if (typeof GET !== 'function') throw new Error('The block declares no GET.')
  const headers = { 'Petstore-Priority': 'user' }
  const response: Response = await GET(new Request('https://app.test/api/petstore/v1/categories', { headers }))
  expect(await response.json()).toMatchObject([{ name: 'Dog' }])
})

test('README: an interface of one’s own lists the categories and adds one', async () => {
  const service = twoPets()
  const Names = componentOf(await runProgram(readme, 'const { trigger, isMutating }'), 'Names')
  renderWithPetstore(<Names />, { service })
  await expectRows('Dog, Cat')
  await userEvent.click(screen.getByRole('button', { name: 'Add rabbit' }))
  await expectRows('Dog, Cat, Rabbit')
  expect(service.categories()).toHaveLength(3)
})

test('guide: a page prepared on a server shows its rows at once, and sends no request', async () => {
  const guide = 'docs/server-rendering.md'
  const service = twoPets()
  stubNetwork(service)
  const { loadCategories } = await runProgram(guide, 'export async function loadCategories')
  if (typeof loadCategories !== 'function') throw new Error('The block declares no loadCategories.')
  const Categories = componentOf(await runProgram(guide, 'export function Categories('), 'Categories')
  render(<Categories prefetched={await loadCategories('demo', 'ann')} userId="ann" />)
  expect(screen.getAllByText('Dog').length).toBe(1)
  expect(service.requests.map(({ operation }) => operation)).toEqual(['listCategories'])
})

test('guide: a pet has the schema of the app, and in development a warning says that reading it is deprecated', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const service = createPetstoreService({
    operations: [
      { operation: operations.getPet, handle: ({ params }) => ({ body: { name: `Rex ${params['petId']}` } }) },
    ],
  })
  const Pet = componentOf(await runProgram('docs/hooks.md', '...operations.getPet'), 'Pet')
  renderWithPetstore(<Pet petId="9007199254740993" />, { service })
  await expectRows('Rex 9007199254740993')
  expect(warn.mock.calls).toEqual([[expect.stringContaining('getPet is deprecated')]])
})

test('guide: a program without React creates a category', async () => {
  const service = createPetstoreService({ keys: ['your-key'] })
  stubNetwork(service)
  await runProgram('docs/errors.md', "client.createCategory({ name: 'Rabbit' })")
  expect(service.requests).toMatchObject([{ operation: 'createCategory', status: 201 }])
})

test('README: a test of an app finds the row', async () => {
  const { service } = await runProgram(readme, "service.failNext({ operation: 'createCategory', status: 500 })")
  expect(service).toMatchObject({ requests: [{ operation: 'listCategories', status: 200 }] })
})

test('skill: an outbox sends a message', async () => {
  const service = createPetstoreService()
  const Outbox = componentOf(await runProgram(skill, 'export function Outbox'), 'Outbox')
  renderWithPetstore(<Outbox />, { service })
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(service.messages()).toMatchObject([{ message: 'Please feed the rabbits.' }]))
})

test('skill: the program that avoids the five mistakes adds a toy as a category', async () => {
  const program = await runProgram(skill, 'export function AddToyAsCategory')
  const getToy = defineOperation({
    name: 'getToy',
    path: '/toys/{toyId}',
    input: z.any(),
    output: z.object({ id: int64 }),
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

test('skill: its two tests pass', async () => {
  const tests: (() => Promise<void>)[] = []
  await runProgram(skill, "test('creates a category'", {
    vitest: { expect, test: (_: string, body: () => Promise<void>) => tests.push(body) },
  })
  expect(tests).toHaveLength(2)
  for (const body of tests) {
    await body()
    cleanup()
  }
})
