import type { PetstoreError } from '../client/errors.ts'

/** The options of every mutation. */
export interface UsePetstoreMutationOptions<Input, Output> {
  /** Called when a call succeeds, before `trigger` resolves; even after the component unmounts. */
  readonly onSuccess?: ((data: Output, input: Input) => void) | undefined
  /**
   * Called when a call fails, before `trigger` settles; even after the component unmounts. Not called for canceled
   * calls.
   */
  readonly onError?: ((error: PetstoreError, input: Input) => void) | undefined
  /**
   * `false`: `trigger` resolves with `undefined` instead of rejecting, for event handlers that do not await it. Mistakes
   * in the code, such as a missing `quickstartBaseUrl`, still reject. Default `true`.
   */
  readonly throwOnError?: boolean | undefined
}
