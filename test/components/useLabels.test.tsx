import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  CategoryForm,
  CategoryList,
  ErrorNotice,
  MessageComposer,
  NetworkError,
  PetstoreProvider,
} from '../../src/index.ts'
import { de } from '../../src/labels/de.ts'
import { noResponse, optionsFor } from '../renderOnService.tsx'

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

test.each([
  ['CategoryForm F4', <CategoryForm key="form" labels={{ submit: 'Los!' }} />, [de.categoryForm.name, 'Los!']],
  [
    'CategoryList M3',
    <CategoryList key="list" labels={{ loading: 'Moment…' }} />,
    [de.categoryList.refresh, 'Moment…'],
  ],
  [
    'MessageComposer M3',
    <MessageComposer key="composer" labels={{ send: 'Ab damit' }} />,
    [de.messageComposer.message, 'Ab damit'],
  ],
])('%s takes labels from the provider, and `labels` overrides them', (_, ui, texts) => {
  const { container } = render(
    <PetstoreProvider {...optionsFor({ fetch: noResponse })} quickstartBaseUrl="https://start.test" labels={de}>
      {ui}
    </PetstoreProvider>,
  )
  for (const text of texts) expect(container.textContent).toContain(text)
})

test('a label that is `undefined` is the one of the provider', () => {
  // What apps pass whose TypeScript has no `exactOptionalPropertyTypes`.
  const overrides: object = { submit: undefined }
  render(
    <PetstoreProvider {...optionsFor({ fetch: noResponse })} labels={de}>
      <CategoryForm labels={overrides} />
    </PetstoreProvider>,
  )
  expect(screen.getByRole('button', { name: de.categoryForm.submit })).toBeTruthy()
})
