import { type ApiKeySource, KeyRenewed } from '../apiKey.ts'
import { type Attempt, errorContext } from '../Call.ts'
import type { Step } from '../chainSteps.ts'
import { isPetstoreError } from '../errors.ts'

/**
 * Gives each attempt its API key, read again before a retry. Where the service refuses the key and the app has another
 * one, rejects with `KeyRenewed`, once per call, and `retry` starts a new attempt.
 *
 * Rejects with `AuthenticationError` where there is no usable key.
 */
export function authorize(apiKeys: ApiKeySource): Step<Attempt, Attempt> {
  async function keyOf(attempt: Attempt): Promise<string | undefined> {
    const { previousError, renewedKey, key } = attempt
    if (!previousError) return key
    return previousError.kind === 'authentication' ? renewedKey : apiKeys.read(errorContext(attempt))
  }

  return async (attempt, next) => {
    const key = await keyOf(attempt)
    try {
      return await next({ ...attempt, key })
    } catch (error) {
      const isRefused = isPetstoreError(error) && error.kind === 'authentication' && key !== undefined
      if (!isRefused || attempt.renewedKey !== undefined) throw error
      const renewedKey = await apiKeys.renew(key, error)
      if (renewedKey === undefined) throw error
      throw new KeyRenewed(renewedKey, error)
    }
  }
}
