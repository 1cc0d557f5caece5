import type { SWRConfiguration } from 'swr'

/** How long a response counts as fresh, in ms. */
export const freshTime = 30_000

/** SWR takes `undefined` for "not set", which its types do not allow. */
const unset: object = {
  // An app-wide `false` would prevent every first load.
  revalidateOnMount: undefined,
  fallbackData: undefined,
  // The app's middleware may change keys and results, and so break what the hooks rely on.
  use: undefined,
}

/** Set in every query, because the app's `SWRConfig` may contain anything. */
export const swrDefaults: SWRConfiguration = {
  ...unset,
  // The client retries: it alone knows the rate limit.
  shouldRetryOnError: false,
  // A mount, focus or reconnect within this time sends no request.
  dedupingInterval: freshTime,
  // `usePolling` polls instead: SWR would stop at the first failure.
  refreshInterval: 0,
  // `usePrevious` does this instead: SWR would show the data of one address or key under another.
  keepPreviousData: false,
  // An equal response is the same object, and a deep comparison would cost more than a render.
  compare: Object.is,
}
