import { cleanup, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useCategories } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { renderHookOnService } from './renderHookOnService.tsx'

afterEach(cleanup)

const pets = [{ name: 'Dog' }, { name: 'Cat' }]

test('loads the categories', async () => {
  const { current, service } = renderHookOnService(() => useCategories(), {
    service: createPetstoreService({ categories: pets }),
  })
  expect(current()).toMatchObject({ data: undefined, isLoading: true })
  await waitFor(() => expect(current()).toMatchObject({ data: pets, isLoading: false, isValidating: false }))
  expect(service.requests).toMatchObject([{ operation: 'listCategories', key: 'demo', status: 200 }])
})

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
