import { type ReactElement, type ReactNode, useEffect } from 'react'
import { SWRConfig } from 'swr'
import type { PetstoreClient } from '../../client/PetstoreClient.ts'
import { PetstoreProvider, type PetstoreProviderProps } from '../../hooks/PetstoreProvider.tsx'
import { createMemoryStore } from '../../rate-limit/stores/memoryStore.ts'
import { createPetstoreService, type PetstoreService } from '../createPetstoreService.ts'
import { dropAnnouncers } from './resetPetstore.ts'

type ConfigurationProps = Exclude<PetstoreProviderProps, Record<'client', PetstoreClient>>

/** The props of `PetstoreProvider`, and the service. By default service, limits and cache are new. */
export interface PetstoreWrapperOptions extends Partial<Omit<ConfigurationProps, 'children' | 'client'>> {
  /** The service that receives the requests. Default: a new one. */
  readonly service?: PetstoreService
}

/** The `wrapper` that Testing Library's `render` and `renderHook` take as an option, and its service. */
export interface PetstoreWrapper {
  /** Renders its children below a `PetstoreProvider` that uses the service, with an SWR cache. */
  readonly wrapper: (props: { readonly children: ReactNode }) => ReactElement
  /** The service that receives the requests. */
  readonly service: PetstoreService
}

/**
 * Creates a `wrapper` for `renderHook` of Testing Library with its own service in memory, request limits and SWR cache.
 *
 * @example
 * const { wrapper, service } = createPetstoreWrapper()
 * const { result } = renderHook(() => useCategories(), { wrapper })
 * await waitFor(() => expect(result.current.data).toHaveLength(5))
 */
export function createPetstoreWrapper({
  service = createPetstoreService(),
  ...providerProps
}: PetstoreWrapperOptions = {}): PetstoreWrapper {
  const props = { ...service.providerProps(), rateLimitStore: createMemoryStore(), ...providerProps }
  const newCache = { provider: () => new Map() }
  function Wrapper({ children }: { readonly children: ReactNode }): ReactElement {
    useEffect(() => dropAnnouncers, [])
    return (
      <SWRConfig value={newCache}>
        <PetstoreProvider {...props}>{children}</PetstoreProvider>
      </SWRConfig>
    )
  }
  return { wrapper: Wrapper, service }
}
