import { cleanup, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useCategories } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { renderHookOnService } from './renderHookOnService.tsx'

afterEach(cleanup)

const pets = [{ name: 'Dog' }, { name: 'Cat' }]

test('refresh settles when the response arrives, never rejects, and keeps the old rows', async () => {
  const { current, service } = renderHookOnService(() => useCategories(), {
    service: createPetstoreService({ categories: pets }),
  })
  await waitFor(() => expect(current()).toMatchObject({ data: pets, error: undefined }))
  service.failNext({ status: 500 })
  expect(await current().refresh()).toBeUndefined()
  expect(service.requests.map(({ status }) => status)).toEqual([200, 500])
  await waitFor(() => expect(current()).toMatchObject({ data: pets, error: { kind: 'server' } }))
})
