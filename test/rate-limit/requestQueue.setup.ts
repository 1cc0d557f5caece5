import { createRequestQueue, type QueuedRequest, type RequestQueue } from '../../src/rate-limit/requestQueue.ts'

export const now = 1_000_000_000_000
let nextOrder = 0

/** A request of a user, behind all others. */
export const queued = (id: string, fields: Partial<QueuedRequest> = {}): QueuedRequest => ({
  id,
  address: 'categories',
  isRetry: false,
  priority: 'user',
  order: nextOrder++,
  deadline: now + 60_000,
  enteredAt: now - 60_000,
  holdFor: 20_000,
  ...fields,
})
export const background = { priority: 'background' } as const

export function queueOf(...requests: readonly QueuedRequest[]): RequestQueue<QueuedRequest> {
  const queue = createRequestQueue()
  for (const request of requests) queue.enqueue(request)
  return queue
}

export const ids = (requests: Iterable<QueuedRequest>) => [...requests].map(({ id }) => id).join('')
