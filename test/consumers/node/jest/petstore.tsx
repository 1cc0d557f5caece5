import { afterEach, expect, jest, test } from '@jest/globals'
import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { CategoryForm, CategoryList } from 'petstore-react'
import { createPetstoreService } from 'petstore-react/testing'
import { renderWithPetstore } from 'petstore-react/testing/react'

afterEach(() => void jest.useRealTimers())

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))

test('a cool-down of 42 s passes when fake timers are advanced', async () => {
  jest.useFakeTimers()
  const service = createPetstoreService({ categories: [{ name: 'Dog' }] })
  service.failNext({ operation: 'listCategories', status: 429, headers: { 'Retry-After': '42' } })
  renderWithPetstore(<CategoryList />, { service })
  await pass(0)
  expect(service.requests.map(({ status }) => status)).toEqual([429])
  await pass(41_000)
  expect(service.requests).toHaveLength(1)
  await pass(5_000)
  expect(service.requests.map(({ status }) => status)).toEqual([429, 200])
  expect(screen.getByText('Dog').isConnected).toBe(true)
})

test('`findBy`, `waitFor` and user-event work under fake timers', async () => {
  jest.useFakeTimers()
  const { service, user } = renderWithPetstore(<CategoryForm />, { userEvent })
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Fox{Enter}')
  await waitFor(() => expect(service.requests.map(({ status }) => status)).toEqual([201]))
})

test('a list is shown in real time', async () => {
  const { service } = renderWithPetstore(<CategoryList />)
  await screen.findByText('Guinea pig')
  expect(service.requests).toHaveLength(1)
})
