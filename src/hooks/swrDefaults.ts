import type { SWRConfiguration } from 'swr'

/** Pinned in each query, since an app-wide `SWRConfig` may hold anything. */
export const swrDefaults: SWRConfiguration = Object.assign<SWRConfiguration, object>(
  {
    isPaused: () => false,
    // The client retries, in one place, with the rate limit in view.
    shouldRetryOnError: false,
    // How long a response counts as fresh, in ms: who mounts, focuses or reconnects within it asks nothing.
    dedupingInterval: 30_000,
    // The hook polls by itself: SWR would stop at the first failure.
    refreshInterval: 0,
    // The rows of one address or key must not be seen under the next.
    keepPreviousData: false,
    // The same response is the same object; a deep comparison would cost more than rendering.
    compare: Object.is,
  },
  {
    // `false` would mean that nothing is ever loaded. SWR takes `undefined` for "not set", which its types do not say.
    revalidateOnMount: undefined,
    fallbackData: undefined,
    // The app's middleware may change keys and results, and so undo every promise.
    use: undefined,
  },
)
