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

  async function keyOf(attempt: Attempt): Promise<string | undefined> {
    const { previousError, key } = attempt
    if (!previousError) return key
    if (previousError.kind !== 'authentication') return apiKeys.read(errorContext(attempt))
    const refused = refusedKeys.get(previousError)
    const renewed = refused && (await apiKeys.renew(refused, previousError))
    if (!renewed) throw previousError
    return renewed
  }

  return async (attempt, next) => {
    const key = await keyOf(attempt)
    try {
      return await next({ ...attempt, key })
    } catch (error) {
      if (key && isPetstoreError(error)) refusedKeys.set(error, key)
      throw error
    }
  }
}
