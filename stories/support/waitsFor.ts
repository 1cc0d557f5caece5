import type { ServiceParameters } from '../../.storybook/StoryService.tsx'
import { operationMethods } from '../../src/client/PetstoreClient.ts'
import { createPetstoreClient, type PetstoreClient, type WaitReason } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'

/**
 * `parameters.petstore` of stories in which every request waits, for this reason. A wait that is over begins again, as after
 * one more failure.
 *
 * @param seconds - the wait that people are told
 * @param isEarliest - whether the wait may also take longer
 */
export function waitsFor(reason: WaitReason, seconds: number, isEarliest = false, maxWait = 65_000): ServiceParameters {
  const createClient = (): PetstoreClient => {
    const client = createPetstoreClient({ ...createPetstoreService().providerProps(), retry: { maxWait } })
    const nextRetry = () => Date.now() + seconds * 1_000
    function repeat(beginAgain: () => void): () => void {
      const timer = setInterval(beginAgain, seconds * 1_000)
      return () => clearInterval(timer)
    }
    const call: PetstoreClient['call'] = (_operation, ...[, { onWait, signal } = {}]) =>
      new Promise((_, reject) => {
        const wait = () => onWait?.({ until: nextRetry(), reason, isEarliest })
        wait()
        const stop = repeat(wait)
        signal?.addEventListener('abort', () => {
          stop()
          reject(signal.reason)
        })
      })
    // A problem of the service holds only the call that met it, not the other calls of the key.
    const keyReason = reason === 'service' ? undefined : reason
    const snapshotUntil = (until: number) =>
      ({
        status: reason === 'rate-limit' ? 'exhausted' : 'ok',
        limit: 60,
        remaining: reason === 'rate-limit' ? 0 : 43,
        resetAt: until + 20_000,
        retryAt: keyReason && until,
        waitReason: keyReason,
      }) as const
    let snapshot = snapshotUntil(nextRetry())
    const subscribe = (listener: () => void) =>
      repeat(() => {
        snapshot = snapshotUntil(nextRetry())
        listener()
      })
    return {
      ...client,
      call,
      ...operationMethods(call),
      rateLimit: { ...client.rateLimit, getSnapshot: () => snapshot, subscribe },
    }
  }
  return { createClient }
}
