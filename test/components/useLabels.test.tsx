import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ErrorNotice, NetworkError, PetstoreProvider } from '../../src/index.ts'

test('a provider may have some of the labels, at any depth: the others are English', () => {
  const labels = { errorNotice: { errors: { network: { title: 'Hors ligne' } }, details: 'Détails' } }
  render(
    <PetstoreProvider baseUrl="https://pets.test/v1" labels={labels}>
      <ErrorNotice
        error={new NetworkError({ operation: 'listCategories', attempts: 0 }, undefined)}
        onRetry={() => {}}
      />
    </PetstoreProvider>,
  )
  expect(screen.getByText('Hors ligne')).toBeTruthy()
  expect(screen.getByText('Check your internet connection, then try again.')).toBeTruthy()
  expect(screen.getByText('Détails')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})
