import { describe, expect, test } from 'vitest'
import { type Operation, operations } from '../../src/client.ts'
import { documentedOperations } from '../../src/contract/operations.ts'
import { descriptions, exchanges } from '../operations/exchanges.ts'
import { readRequest } from '../operations/readRequest.ts'
import { issueTexts, validate } from './validate.ts'

const table: Readonly<Record<string, Operation>> = operations

describe('the table of operations', () => {
  test('has each operation of the interface document, and no other', () => {
    const documented = descriptions.map(({ operation }) => operation.name)
    expect(Object.keys(operations).toSorted()).toEqual(documented.toSorted())
  })

  test('contains `documentedOperations`: the operations whose payloads the document shows', () => {
    const shown = descriptions.flatMap(({ operation, example }) => (example ? [operation.name] : []))
    expect(Object.keys(documentedOperations).toSorted()).toEqual(shown.toSorted())
    expect(operations).toMatchObject(documentedOperations)
  })

  test.each(descriptions)('says about $operation.name what the document says', ({ operation }) => {
    const { input: _input, output: _output, ...row } = table[operation.name] ?? {}
    expect(row).toStrictEqual(operation)
  })
})

/** The inputs in the exchanges that the service accepts (2xx) or refuses (400). Other statuses judge no input. */
const inputs = exchanges.flatMap(({ section, name, steps }) =>
  steps.flatMap((step) => {
    if (!('request' in step) || ![200, 201, 204, 400, '2xx'].includes(step.response.status)) return []
    const read = readRequest(step.request)
    if (typeof read === 'string') return []
    return [[`${section}: ${name}`, step.request.operation, read.input, step.response.status !== 400] as const]
  }),
)

test.each(inputs)('%s: the input schema of %s agrees with the service on %j', (_, name, value, isAccepted) => {
  const input = table[name]?.input
  expect(input ? validate(input, value).issues === undefined : value === undefined).toBe(isAccepted)
})

test.each([operations.getPet, operations.listOrders])(
  '$name accepts any payload, because the document does not show it',
  ({ output }) => {
    for (const payload of [undefined, null, 7, 'text', [], { id: 7 }]) {
      expect(validate(output, payload)).toEqual({ value: payload })
    }
  },
)

test('getPet takes the identifier of a pet', () => {
  const { input } = operations.getPet
  const issues = (value: unknown) => input && issueTexts(validate(input, value))
  expect(input && validate(input, { petId: '7' })).toEqual({ value: { petId: '7' } })
  expect(issues({ petId: '' })).toEqual(['petId: expected a pet identifier'])
  expect(issues({ petId: 7 })).toEqual(['petId: expected a string'])
  expect(issues({})).toEqual(['petId: expected a string'])
})
