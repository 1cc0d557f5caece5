import type { ApiKeySource } from '../apiKey.ts'
import { type Attempt, errorContext } from '../Call.ts'
import type { Step } from '../chainSteps.ts'
import { isPetstoreError, type PetstoreError } from '../errors.ts'

/**
 * Gives each attempt its API key, read again before a retry. The attempt after a refused key gets another one from the
 * app, or rejects with the refusal where there is none.
 *
 * Rejects with `AuthenticationError` where there is no usable key.
 */
export function authorize(apiKeys: ApiKeySource): Step<Attempt, Attempt> {
  /** By refusal, since errors hold no key. */
  const refusedKeys = new WeakMap<PetstoreError, string>()

  async function keyAfter(failure: PetstoreError, attempt: Attempt): Promise<string | undefined> {
    if (failure.kind !== 'authentication') return apiKeys.read(errorContext(attempt))
    const refused = refusedKeys.get(failure)
    const renewed = refused && (await apiKeys.renew(refused, failure))
    if (!renewed) throw failure
    return renewed
  }

  return (attempt, next) => {
    const send = (key: string | undefined) =>
      next(Object.assign(attempt, { key })).catch((error: unknown) => {
        if (key && isPetstoreError(error)) refusedKeys.set(error, key)
        throw error
      })
    return attempt.previousError ? keyAfter(attempt.previousError, attempt).then(send) : send(attempt.key)
  }
}
