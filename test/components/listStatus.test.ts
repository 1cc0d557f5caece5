import { describe, expect, test } from 'vitest'
import { listStatus } from '../../src/components/CategoryList/ListView.ts'
import { type Category, type CategoryId, NetworkError } from '../../src/client.ts'

const dog: Category = { id: '1' as CategoryId, name: 'Dog' }
const error = new NetworkError({ operation: 'listCategories', attempts: 1 }, undefined)

const loading = { data: undefined, error: undefined, isValidating: true, wait: undefined }
const closed = { ...loading, isValidating: false }
const failed = { ...closed, error }
const loaded = { ...closed, data: [dog] }

const noRows = { all: [], rows: [], count: 0, filter: '' }
const oneRow = { all: [dog], rows: [dog], count: 1, filter: '' }
const noMatch = { all: [dog], rows: [], count: 0, filter: 'cat' }

const options = { filterable: true, refreshable: true, isRefreshing: false, pending: [] }
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

  test('says where they will be if the first request has failed', () => {
    expect(listStatus(failed, noRows, options)).toMatchObject({ emptyReason: 'notLoaded', hasRows: false })
    expect(listStatus(failed, noRows, { ...options, pending }).emptyReason).toBeUndefined()
    expect(listStatus({ ...loaded, error }, oneRow, options).emptyReason).toBeUndefined()
  })

  test('has no match even if there are pending rows', () => {
    expect(listStatus(loaded, noMatch, options)).toMatchObject({ emptyReason: 'noMatch', hasRows: false })
    expect(listStatus(loaded, noMatch, { ...options, pending })).toMatchObject({
      emptyReason: 'noMatch',
      hasRows: true,
    })
  })
})

describe('the toolbar', () => {
  test('has a filter as long as there is something to filter, or a filter to clear', () => {
    expect(listStatus(loading, noRows, options).hasFilter).toBe(true)
    expect(listStatus(failed, noRows, options).hasFilter).toBe(false)
    expect(listStatus({ ...loaded, data: [] }, noRows, options).hasFilter).toBe(false)
    expect(listStatus({ ...loaded, data: [] }, { ...noRows, filter: 'cat' }, options).hasFilter).toBe(true)
    expect(listStatus(loaded, oneRow, { ...options, filterable: false }).hasFilter).toBe(false)
  })

  test('has a refresh button unless the first load is under way or its error offers a retry', () => {
    expect(listStatus(loading, noRows, options).hasRefresh).toBe(false)
    expect(listStatus(failed, noRows, options).hasRefresh).toBe(false)
    expect(listStatus(closed, noRows, options).hasRefresh).toBe(true)
    expect(listStatus({ ...loaded, error }, oneRow, options).hasRefresh).toBe(true)
    expect(listStatus(loaded, oneRow, { ...options, refreshable: false }).hasRefresh).toBe(false)
  })
})

test('a wait is shown only if a person waits: for the first load, or for a refresh', () => {
  const wait = { until: 5, reason: 'connection', isEarliest: true } as const
  expect(listStatus({ ...loading, wait }, noRows, options).wait).toEqual(wait)
  expect(listStatus({ ...loaded, wait }, oneRow, options).wait).toBeUndefined()
  expect(listStatus({ ...loaded, wait }, oneRow, { ...options, isRefreshing: true }).wait).toEqual(wait)
})
