import { render, screen } from '@testing-library/react'
import type { ReactElement, ReactNode } from 'react'
import { CategoryList, PetstoreProvider } from '../../src/index.ts'
import type { CategoryListProps, PetstoreClientOptions, PetstoreLabels } from '../../src/index.ts'
import { createPetstoreService, type PetstoreService, type PetstoreServiceOptions } from '../../src/testing.ts'
import { holdResponses } from '../hooks/holdResponses.ts'
import { optionsFor, OwnCache } from '../renderOnService.tsx'

interface Setup {
  /** A service, or the options of one. */
  readonly service?: PetstoreService | PetstoreServiceOptions
  readonly client?: Partial<PetstoreClientOptions>
  readonly labels?: PetstoreLabels
  readonly locale?: string
  /** More elements below the same provider. */
  readonly beside?: ReactNode
}

/** Renders a list on its own service, whose responses can be held back. */
export function renderList(props: CategoryListProps = {}, setup: Setup = {}) {
  const { client, labels, locale, beside } = setup
  const service =
    'requests' in (setup.service ?? {})
      ? (setup.service as PetstoreService)
      : createPetstoreService(setup.service as PetstoreServiceOptions)
  const { fetch, hold } = holdResponses(service)
  const options = { ...optionsFor({ fetch }), ...client }
  const app = (next: CategoryListProps): ReactElement => (
    <OwnCache>
      <PetstoreProvider {...options} labels={labels} locale={locale}>
        <CategoryList {...next} />
        {beside}
      </PetstoreProvider>
    </OwnCache>
  )
  const view = render(app(props))
  return { ...view, service, hold, update: (next: CategoryListProps) => view.rerender(app(next)) }
}

export const section = () => screen.getByRole('region', { name: 'Categories' })
export const filterBox = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter categories' })
export const refreshButton = () => screen.getByRole('button', { name: 'Refresh' })
export const tryAgain = () => screen.getByRole('button', { name: 'Try again' })
export const moreButton = () => screen.getByRole('button', { name: /^Show \d+ more$/ })

/** The names of the visible rows, in order. */
export const names = () =>
  [...document.querySelectorAll('.petstore-category-list-row')].map(
    (row) => row.querySelector('.petstore-category-list-name')?.textContent,
  )

export const rowOf = (name: string) => {
  const row = screen.getByText(name).closest<HTMLElement>('.petstore-category-list-row')
  if (!row) throw new Error(`${name} is in no row.`)
  return row
}
