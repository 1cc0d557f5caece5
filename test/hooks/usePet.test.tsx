import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { int64, operations, usePet } from '../../src/index.ts'
import { createPetstoreService, type ServiceResponse } from '../../src/testing.ts'
import { renderOnService } from '../renderOnService.tsx'

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const petSchema = z.object({ id: int64, name: z.string() })

const serviceOf = (response: ServiceResponse = {}) =>
  createPetstoreService({
    operations: [
      {
        operation: operations.getPet,
        handle: ({ params }) => ({ body: { id: params['petId'] ?? '', name: 'Rex', other: true }, ...response }),
      },
    ],
  })

function Pet({ petId = '7' }: { petId?: string | null }) {
  const { data, error, isLoading } = usePet(petId, { schema: petSchema })
  return <p>{error?.kind ?? (data ? `${data.id} ${data.name}, ${Object.keys(data).length}` : String(isLoading))}</p>
}

describe('usePet', () => {
  test("loads a pet with the app's own schema", async () => {
    const { service } = renderOnService(<Pet petId="9007199254740993" />, { service: serviceOf() })
    expect(await screen.findByText('9007199254740993 Rex, 2')).toBeDefined()
    expect(service.requests).toMatchObject([{ operation: 'getPet', path: '/v1/pets/9007199254740993' }])
  })

  test('a new schema on each render sends one request', async () => {
    const Inline = () => <p>{usePet('7', { schema: z.object({ name: z.string() }) }).data?.name}</p>
    const { service } = renderOnService(<Inline />, { service: serviceOf() })
    expect(await screen.findByText('Rex')).toBeDefined()
    expect(service.requests).toHaveLength(1)
  })
})
