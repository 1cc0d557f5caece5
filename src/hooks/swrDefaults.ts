import type { SWRConfiguration } from 'swr'

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
  isPaused: () => false,
  // The client retries: it alone knows the rate limit.
  shouldRetryOnError: false,
  // How long a response counts as fresh, in ms: a mount, focus or reconnect within this time sends no request.
  dedupingInterval: 30_000,
  // `usePolling` polls instead: SWR would stop at the first failure.
  refreshInterval: 0,
  // `usePrevious` does this instead: SWR would show the data of one address or key under another.
  keepPreviousData: false,
  // An equal response is the same object, and a deep comparison would cost more than a render.
  compare: Object.is,
}
