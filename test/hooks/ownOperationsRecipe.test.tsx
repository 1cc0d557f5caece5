import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createPetstoreService } from '../../src/testing.ts'
import { recordingClient, renderOnClient, settle, stopTimeInEachTest } from './query.setup.tsx'
import { componentOf, runProgram } from './runProgram.ts'
import { listToys, removeToy } from './toyOperations.ts'

stopTimeInEachTest()

const Toys = componentOf(await runProgram('docs/own-operations.md', 'export function Toys'), 'Toys')

const rows = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)

async function renderToys(status = 204) {
  // The second id does not fit into a number.
  const names = new Map([
    ['1', 'Ball'],
    ['9007199254740993', 'Bone'],
  ])
  const service = createPetstoreService({
    operations: [
      {
        operation: listToys,
        handle: () => ({ body: [...names].map(([id, name]) => ({ id: BigInt(id), name })) }),
      },
      {
        operation: removeToy,
        handle: ({ params: { toyId = '' } }) => {
          if (status === 204) names.delete(toyId)
          return { status }
        },
      },
    ],
  })
  renderOnClient(<Toys />, recordingClient(service).client)
  await settle(() => rows().length > 0)
  return service
}

const removeLast = () => {
  const buttons = screen.getAllByRole('button', { name: 'Remove' })
  fireEvent.click(buttons[buttons.length - 1] ?? document.body)
}

test('the recipe for own operations keeps each digit of an id, and loads the list again after a change', async () => {
  const service = await renderToys()
  removeLast()
  await settle(() => rows().length === 1)
  expect(rows()).toEqual(['Ball Remove'])
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/toys',
    'DELETE /v1/toys/9007199254740993',
    'GET /v1/toys',
  ])
})

test('the recipe for own operations says which toy was not removed', async () => {
  await renderToys(404)
  removeLast()
  await settle(() => screen.queryByRole('alert') !== null)
  expect(rows()).toEqual(['Ball Remove', 'Bone RemoveNot removed: unexpected-status'])
})
