import type { PetstoreError } from '../client/errors.ts'

/** The options of every query. */
export interface UsePetstoreQueryOptions<Output> {
  /**
   * `false`: shows what is cached and loads nothing, except by `refresh()`. When it becomes `true`, what is not fresh is
   * loaded. Has no effect with `suspense`. Default `true`.
   */
  readonly enabled?: boolean | undefined
  /**
   * Loads the data again when the last request is this many ms old, while the page is visible and online and the quota is
   * not low. Continues after failures. Default: never.
   */
  readonly refreshInterval?: number | undefined
  /** Shown until the first response, for example data from a server. Still revalidated on mount, in the background. */
  readonly fallbackData?: Output | undefined
  /**
   * Keeps showing the previous data while the data of another input load; never across clients. Has no effect with
   * `suspense`, where a transition does the same. Default `false`.
   */
  readonly keepPreviousData?: boolean | undefined
  /**
   * Suspends until data arrive, and throws the error if the first load fails. On a server it needs data: `fallbackData`,
   * or `prefetchQuery` with an `SWRConfig` `fallback`. Without data, the server sends the fallback of the nearest
   * `<Suspense>` and the page loads the data itself, which React reports as a recoverable error; without a `<Suspense>`,
   * rendering fails. Default `false`.
   */
  readonly suspense?: boolean | undefined
  /** Throws errors to the nearest error boundary: all (`true`), or those for which the function returns `true`. Default `false`. */
  readonly throwOnError?: boolean | ((error: PetstoreError) => boolean) | undefined
  /** Called when a response arrives: once per response, in one of the components that show the data. */
  readonly onSuccess?: ((data: Output) => void) | undefined
  /** Called when a request fails: once per failure, in one of the components that show the data. */
  readonly onError?: ((error: PetstoreError) => void) | undefined
}

/** The arguments after the operation. An operation without input may omit it; `null` sends no request. */
export type QueryArguments<Input, Output> = undefined extends Input
  ? [input?: Input | null, options?: UsePetstoreQueryOptions<Output>]
  : [input: Input | null, options?: UsePetstoreQueryOptions<Output>]
