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

/** Renders a hook in StrictMode, below a provider, on a service and with a cache of its own. */
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
    /** What the hook gave last. */
    current: () => result.current,
    client: client.get,
    /** Lets several requests leave at once: as long as nothing is known of the quota, one goes ahead alone. */
    learnQuota: async () => {
      await client.get().listCategories()
      service.reset()
    },
  }
}

/** Hands on what a component was given last to the test around it. */
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

/** Lets everything happen that is not waiting for time to pass. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 10)
  })
}
