import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import {
  type PetstoreClient,
  type PetstoreClientOptions,
  PetstoreProvider,
  usePetstoreClient,
} from '../../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { optionsFor, OwnCache } from '../renderOnService.tsx'
import { holdResponses } from './holdResponses.ts'

/** Renders a hook in StrictMode, below a provider, with a service and a new cache. */
export function renderHookOnService<Result, Props = undefined>(
  useHook: (props: Props) => Result,
  {
    service = createPetstoreService(),
    initialProps,
    ...options
  }: Partial<PetstoreClientOptions> & { readonly service?: PetstoreService; readonly initialProps?: Props } = {},
) {
  const { hold, fetch } = holdResponses(service)
  const provided = { ...optionsFor({ fetch }), ...options }
  const wrapper = ({ children }: { children: ReactNode }) => (
    <OwnCache>
      <PetstoreProvider {...provided}>{children}</PetstoreProvider>
    </OwnCache>
  )
  const client = lastOf<PetstoreClient>()
  const useAll = (props: Props) => {
    client.set(usePetstoreClient())
    return useHook(props)
  }
  const { result, rerender, unmount } = renderHook(useAll, { wrapper, ...(initialProps && { initialProps }) })
  return {
    service,
    hold,
    rerender,
    unmount,
    /** The latest result of the hook. */
    current: () => result.current,
    client: client.get,
    /** Makes the quota known to the client, so that several requests can leave at once. Then resets the service. */
    learnQuota: async () => {
      await client.get().listCategories()
      service.reset()
    },
  }
}

/** Passes the latest value of a component to the test. */
export function lastOf<Value>(): { readonly set: (value: Value) => void; readonly get: () => Value } {
  const values: Value[] = []
  return {
    set: (value) => void values.splice(0, 1, value),
    get: () => {
      const [value] = values
      if (value === undefined) throw new Error('Nothing was rendered.')
      return value
    },
  }
}

/** Waits for 10 ms, so that promises and effects that need no timer have run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 10)
  })
}
