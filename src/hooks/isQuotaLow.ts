import type { PetstoreClient } from '../client/PetstoreClient.ts'

/** Whether background requests have to leave the rest of the quota to people. */
export function isQuotaLow(client: PetstoreClient): boolean {
  const { status } = client.rateLimit.getSnapshot()
  return status !== 'unknown' && status !== 'ok'
}
