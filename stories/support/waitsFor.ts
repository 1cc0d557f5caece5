import type { ServiceParameters } from '../../.storybook/StoryService.tsx'
import { operationMethods } from '../../src/client/createPetstoreClient.ts'
import { createPetstoreClient, type PetstoreClient, type WaitReason } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'

/**
 * `parameters.petstore` of stories in which every request waits for this reason, for so long that the story stays in its
 * state.
 *
 * @param seconds - how long, as people are told
 * @param isEarliest - whether it may also take longer
 */
export const waitsFor = (reason: WaitReason, seconds: number, isEarliest = false): ServiceParameters => ({
  createClient: () => {
    const client = createPetstoreClient(createPetstoreService().providerProps())
    const retryAt = Date.now() + seconds * 1_000
    const call: PetstoreClient['call'] = (_operation, ...[, { onWait, signal } = {}]) =>
      new Promise((_, reject) => {
        onWait?.(retryAt, reason, isEarliest)
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    const snapshot = {
      status: 'ok',
      limit: 60,
      remaining: 43,
      resetAt: retryAt + 20_000,
      retryAt,
      waitReason: reason,
    } as const
    return {
      ...client,
      call,
      ...operationMethods(call),
      rateLimit: { ...client.rateLimit, getSnapshot: () => snapshot, subscribe: () => () => {} },
    }
  },
})
