import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { recordingClient, renderOnClient, settle, stopTimeInEachTest } from './query.setup.tsx'
import { componentOf, runProgram } from './runProgram.ts'
import { listToys, renameToy } from './toyOperations.ts'

stopTimeInEachTest()

const Toys = componentOf(await runProgram('docs/hooks.md', 'optimisticData: renamed'), 'Toys')

const shown = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)
const rename = (name: string) => fireEvent.click(screen.getByRole('button', { name })) // adds a "!"

/** Toys whose renaming takes until the test lets it end, with a status. */
async function renderToys() {
  const names = new Map([
    ['1', 'Ball'],
    ['2', 'Bone'],
  ])
  const pending: ((status: number) => void)[] = []
  const service = createPetstoreService({
    operations: [
      { operation: listToys, handle: () => ({ body: [...names].map(([toyId, name]) => ({ toyId, name })) }) },
      {
        operation: renameToy,
        handle: async ({ params: { toyId = '' }, body }) => {
          const status = await new Promise<number>((resolve) => pending.push(resolve))
          const { name } = Object(body) as { readonly name: string }
          if (status === 200) names.set(toyId, name)
          return { status, body: { toyId, name } }
        },
      },
    ],
  })
  const { client, priorities } = recordingClient(service)
  renderOnClient(<Toys />, client)
  await settle(() => shown().length > 0)
  const gets = () => service.requests.filter(({ method }) => method === 'GET').length
  const end = async (status: number) => {
    await settle(() => pending.length > 0)
    const before = gets()
    pending.shift()?.(status)
    await settle(() => gets() > before || pending.length > 0)
  }
  return { end, gets, priorities }
}

test('the recipe for optimistic changes shows one at once, and loads the list after its response', async () => {
  const { end, gets, priorities } = await renderToys()
  rename('Ball')
  await settle(() => shown()[0] !== 'Ball')
  expect(shown()).toEqual(['Ball!', 'Bone'])
  expect(gets()).toBe(1)
  await end(200)
  expect(shown()).toEqual(['Ball!', 'Bone'])
  expect(gets()).toBe(2)
  expect(priorities).toEqual(['user', undefined, 'background']) // of the GET, the PUT and the second GET
})

test('of two changes at the same time, the one that fails does not undo the other', async () => {
  const { end } = await renderToys()
  rename('Ball')
  await settle(() => shown()[0] !== 'Ball')
  rename('Bone')
  await settle(() => shown()[1] !== 'Bone')
  expect(shown()).toEqual(['Ball!', 'Bone!'])
  await end(200)
  await end(400)
  await settle(() => shown()[1] === 'Bone')
  expect(shown()).toEqual(['Ball!', 'Bone'])
})
