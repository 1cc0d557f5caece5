import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { defineOperation, int64, operations, usePet } from '../../src/index.ts'
import { createPetstoreService, type ServiceResponse } from '../../src/testing.ts'
import { renderOnService } from '../renderOnService.tsx'

let warned: MockInstance<typeof console.warn>
beforeEach(() => {
  warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
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

  test('null sends no request', async () => {
    const { service } = renderOnService(<Pet petId={null} />, { service: serviceOf() })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(screen.getByText('false')).toBeDefined()
    expect(service.requests).toHaveLength(0)
  })

  test('a new schema on each render sends one request', async () => {
    const Inline = () => <p>{usePet('7', { schema: z.object({ name: z.string() }) }).data?.name}</p>
    const { service } = renderOnService(<Inline />, { service: serviceOf() })
    expect(await screen.findByText('Rex')).toBeDefined()
    expect(service.requests).toHaveLength(1)
  })
})

describe('lifecycle warnings', () => {
  /** A fresh copy of the package, which has not warned yet. */
  async function freshKit() {
    vi.resetModules()
    return { ...(await import('../../src/index.ts')), ...(await import('../renderOnService.tsx')) }
  }

  async function petWarnings(headers: Record<string, string>): Promise<unknown[]> {
    const kit = await freshKit()
    const Names = ({ petId }: { petId: string }) => <p>{kit.usePet(petId, { schema: petSchema }).data?.id}</p>
    const { service, findByText, unmount } = kit.renderOnService(
      <>
        <Names petId="1" />
        <Names petId="2" />
      </>,
      { service: serviceOf({ headers }) },
    )
    await findByText('1')
    await findByText('2')
    expect(service.requests).toHaveLength(2)
    unmount()
    return warned.mock.calls.flat()
  }

  test('usePet warns once, with the dates that the service sends', async () => {
    const headers = { Deprecation: '@1735689600', Sunset: 'Wed, 30 Jun 2027 00:00:00 GMT' }
    expect(await petWarnings(headers)).toEqual([
      'petstore-react: getPet is deprecated since 2025-01-01. It ends on 2027-06-30.',
    ])
  })

  test('without dates, usePet warns that the operation is deprecated', async () => {
    expect(await petWarnings({})).toEqual([
      'petstore-react: getPet is deprecated. The service has not said when it ends.',
    ])
  })

  test('production builds do not warn', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    expect(await petWarnings({ Deprecation: '@1735689600' })).toEqual([])
  })

  test.each(['experimental', 'beta'] as const)('an %s operation warns once', async (stability) => {
    const kit = await freshKit()
    const operation = defineOperation({ name: 'countPets', path: '/count', output: z.number(), stability })
    const Count = () => <p>{kit.usePetstoreQuery(operation).data}</p>
    const service = createPetstoreService({ operations: [{ operation, handle: () => ({ body: 3 }) }] })
    for (let turn = 0; turn < 2; turn += 1) {
      const { findByText, unmount } = kit.renderOnService(<Count />, { service })
      await findByText('3')
      unmount()
    }
    expect(service.requests).toHaveLength(2)
    expect(warned.mock.calls).toEqual([
      [`petstore-react: countPets is ${stability}: the service may change it without notice.`],
    ])
  })

  test('stable operations do not warn', async () => {
    const kit = await freshKit()
    const Names = () => <p>{kit.useCategories().data?.length}</p>
    const view = kit.renderOnService(<Names />, { service: createPetstoreService({ categories: 3 }) })
    await view.findByText('3')
    view.unmount()
    expect(warned).not.toHaveBeenCalled()
  })
})
