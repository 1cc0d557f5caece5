import { type ReactElement, type ReactNode, useEffect } from 'react'
import { SWRConfig } from 'swr'
import type { PetstoreClient } from '../../client/PetstoreClient.ts'
import { PetstoreProvider, type PetstoreProviderProps } from '../../hooks/PetstoreProvider.tsx'
import { createMemoryStore } from '../../rate-limit/stores/memoryStore.ts'
import { createPetstoreService, type PetstoreService } from '../createPetstoreService.ts'
import { dropAnnouncers } from './resetPetstore.ts'

type ConfigurationProps = Exclude<PetstoreProviderProps, Record<'client', PetstoreClient>>

/** The props of `PetstoreProvider`, and the service. Without options everything is new. */
export interface PetstoreWrapperOptions extends Partial<Omit<ConfigurationProps, 'children' | 'client'>> {
  /** The service that receives the requests. Default: a new one. */
  readonly service?: PetstoreService
}

/** For the options of Testing Library's `render` and `renderHook`. */
export interface PetstoreWrapper {
  /** Renders its children below a `PetstoreProvider` that uses the service, with an SWR cache of its own. */
  readonly wrapper: (props: { readonly children: ReactNode }) => ReactElement
  /** The service that receives the requests. */
  readonly service: PetstoreService
}

/**
 * Creates a `wrapper` for `renderHook` of Testing Library, with a service in memory, rate limits and an SWR cache of its own.
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
    useEffect(countView, [])
    return (
      <SWRConfig value={newCache}>
        <PetstoreProvider {...props}>{children}</PetstoreProvider>
      </SWRConfig>
    )
  }
  return { wrapper: Wrapper, service }
}

let views = 0

/** Counts a rendered view until the returned function is called. */
function countView(): () => void {
  views += 1
  return () => {
    views -= 1
    if (views === 0) dropAnnouncers()
  }
}
