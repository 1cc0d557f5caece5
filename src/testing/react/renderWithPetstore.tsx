import { act, render, type RenderResult } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createPetstoreService, type PetstoreService } from '../createPetstoreService.ts'
import { createPetstoreWrapper, type PetstoreWrapperOptions } from './createPetstoreWrapper.tsx'

/** The part of `userEvent` from `@testing-library/user-event` that `renderWithPetstore` uses. */
export interface UserEventSetup<UserEvent> {
  /** Creates a user. `delay: null` lets it act without timers, so that fake timers do not stop it. */
  readonly setup: (options: { readonly delay: null }) => UserEvent
}

/** The props of `PetstoreProvider`, the service and `userEvent`. By default service, limits and cache are new. */
export interface RenderWithPetstoreOptions<UserEvent = undefined> extends PetstoreWrapperOptions {
  /** `userEvent` from `@testing-library/user-event`, if the test uses `user`. */
  readonly userEvent?: UserEventSetup<UserEvent>
}

/** The result of Testing Library's `render`, with the service and the user of this test. */
export interface RenderWithPetstoreResult<UserEvent = undefined> extends RenderResult {
  /** The service that receives the requests. */
  readonly service: PetstoreService
  /** A new user of `userEvent`; `undefined` without that option. */
  readonly user: UserEvent
}

/**
 * Renders with Testing Library below a `PetstoreProvider` that uses a service in memory. Each call has its own service,
 * request limits and SWR cache, so that no test changes another.
 *
 * @example
 * const { user, service } = renderWithPetstore(<CategoryForm />, { userEvent })
 * await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Fox{Enter}')
 * await waitFor(() => expect(service.requests).toHaveLength(1))
 */
export function renderWithPetstore<UserEvent = undefined>(
  ui: ReactNode,
  options?: RenderWithPetstoreOptions<UserEvent>,
): RenderWithPetstoreResult<UserEvent>
export function renderWithPetstore<UserEvent>(
  ui: ReactNode,
  { service = createPetstoreService(), userEvent, ...providerProps }: RenderWithPetstoreOptions<UserEvent> = {},
): RenderWithPetstoreResult<UserEvent | undefined> {
  const user = userEvent?.setup({ delay: null })
  const view: RenderResult = render(ui, createPetstoreWrapper({ service, ...providerProps }))
  return { ...view, service, user }
}

/**
 * Renders like `renderWithPetstore`, within React's `act`: for components that suspend.
 *
 * @example
 * await renderWithPetstoreAsync(<Suspense fallback="Loading…"><Names /></Suspense>)
 * await screen.findByText('Dog')
 *
 * @throws the Error of a component that fails while it renders
 */
export async function renderWithPetstoreAsync<UserEvent = undefined>(
  ui: ReactNode,
  options: RenderWithPetstoreOptions<UserEvent> = {},
): Promise<RenderWithPetstoreResult<UserEvent>> {
  return act(async () => renderWithPetstore(ui, options))
}
