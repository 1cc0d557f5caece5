import { render, screen, within } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import type { ReactElement, ReactNode } from 'react'
import {
  type CallOptions,
  PetstoreProvider,
  type PetstoreProviderProps,
  useCategories,
  usePetstoreClient,
} from '../../src/index.ts'
import { createMemoryStore } from '../../src/rate-limit/stores/memoryStore.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { newAddress, OwnCache } from '../renderOnService.tsx'

type Options = Partial<Extract<PetstoreProviderProps, { readonly client?: undefined }>> & {
  readonly service?: PetstoreService
}

/** Renders in StrictMode, with a rate limit and a cache of its own. */
export function renderApp(ui: ReactNode, { service = createPetstoreService(), ...props }: Options = {}) {
  const options = { baseUrl: newAddress(), apiKey: 'demo', fetch: service.fetch, rateLimitStore: createMemoryStore() }
  const view = render(
    <OwnCache>
      <PetstoreProvider {...options} {...props}>
        {ui}
      </PetstoreProvider>
    </OwnCache>,
  )
  return { ...view, service, user: userEvent.setup() }
}

export function Names(): ReactElement {
  return (
    <p>
      {useCategories()
        .data?.map(({ name }) => name)
        .join()}
    </p>
  )
}

/** Each press is a call. */
export function CreateButton(options: CallOptions): ReactElement {
  const client = usePetstoreClient()
  return (
    <button type="button" onClick={() => void client.createCategory({ name: 'Secret' }, options).catch(() => {})}>
      Create {options.priority}
    </button>
  )
}

export const press = (user: UserEvent, name: string): Promise<void> => user.click(screen.getByRole('button', { name }))

/** A service that refuses the first request for 42 seconds. */
export function refusingService(): PetstoreService {
  const service = createPetstoreService()
  service.failNext({ status: 429, headers: { 'Retry-After': '42' } })
  return service
}

/** The texts of the cells, row by row, without the head. */
export async function cellsOf(region: string): Promise<(string | null)[][]> {
  const rows = within(await screen.findByRole('region', { name: region })).getAllByRole('row')
  return rows.slice(1).map((row) => Array.from(row.children, ({ textContent }) => textContent))
}
