import { untilAborted } from '../../base/abort.ts'
import type { ApiKeySource } from '../apiKey.ts'
import { errorContext, type KeyedCall, type Step } from '../Call.ts'
import type { PetstoreError } from '../errors.ts'

/**
 * Gives each attempt its API key, read again before a retry. The attempt after a refused key gets another one from the
 * app, or rejects with the refusal where there is none.
 *
 * Rejects with `AuthenticationError` where there is no usable key.
 */
export function authorize(apiKeys: ApiKeySource): Step<KeyedCall, KeyedCall> {
  /** Reads the key for the attempt after a failed one. `attempt.key` is still the key of the failed attempt. */
  async function keyAfter(failure: PetstoreError, attempt: KeyedCall): Promise<string | undefined> {
    if (failure.kind !== 'authentication') return apiKeys.read(errorContext(attempt))
    const renewed = attempt.key && (await apiKeys.renew(attempt.key, failure))
    if (!renewed) throw failure
    return renewed
  }

  return (attempt, next) => {
    const { previousError } = attempt
    return previousError
      ? untilAborted(attempt.signal, () => keyAfter(previousError, attempt)).then((key) =>
          next(Object.assign(attempt, { key })),
        )
      : next(attempt)
  }
}
