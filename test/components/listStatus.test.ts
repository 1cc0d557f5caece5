import { describe, expect, test } from 'vitest'
import { listStatus } from '../../src/components/CategoryList/ListView.ts'
import { type Category, type CategoryId, NetworkError } from '../../src/client.ts'

const dog: Category = { id: '1' as CategoryId, name: 'Dog' }
const error = new NetworkError({ operation: 'listCategories', attempts: 1 }, undefined)

const loading = { data: undefined, error: undefined, isValidating: true, wait: undefined }
const closed = { ...loading, isValidating: false }
const failed = { ...closed, error }
const loaded = { ...closed, data: [dog] }

const noRows = { all: [], rows: [], count: 0 }
const oneRow = { all: [dog], rows: [dog], count: 1 }
const noMatch = { all: [dog], rows: [], count: 0 }

const options = { isRefreshing: false, pending: [] }
const pending = [{ key: 'a', name: 'Cat' }]

describe('the state of the rows', () => {
  test('is loading until there is data or an error', () => {
    expect(listStatus(loading, noRows, options).isLoading).toBe(true)
    expect(listStatus(failed, noRows, options).isLoading).toBe(false)
    expect(listStatus({ ...loaded, isValidating: true }, oneRow, options).isLoading).toBe(false)
  })

  test('is empty only after a response, and only without pending rows', () => {
    expect(listStatus(loading, noRows, options).emptyReason).toBeUndefined()
    expect(listStatus({ ...loaded, data: [] }, noRows, options)).toMatchObject({ emptyReason: 'empty', hasRows: false })
    const withPending = listStatus({ ...loaded, data: [] }, noRows, { ...options, pending })
    expect(withPending).toMatchObject({ emptyReason: undefined, hasRows: true })
  })

  test('is never empty under a failure, which says nothing of the categories', () => {
    expect(listStatus(failed, noRows, options)).toMatchObject({ emptyReason: undefined, hasRows: false })
    expect(listStatus({ ...loaded, data: [], error }, noRows, options).emptyReason).toBeUndefined()
  })

  test('has no match even if there are pending rows', () => {
    expect(listStatus(loaded, noMatch, options)).toMatchObject({ emptyReason: 'noMatch', hasRows: false })
    expect(listStatus(loaded, noMatch, { ...options, pending })).toMatchObject({
      emptyReason: 'noMatch',
      hasRows: true,
    })
  })
})

test('a wait is shown only if a person waits: for the first load, or for a refresh', () => {
  const wait = { until: 5, reason: 'connection', isEarliest: true } as const
  expect(listStatus({ ...loading, wait }, noRows, options).wait).toEqual(wait)
  expect(listStatus({ ...loaded, wait }, oneRow, options).wait).toBeUndefined()
  expect(listStatus({ ...loaded, wait }, oneRow, { ...options, isRefreshing: true }).wait).toEqual(wait)
})
