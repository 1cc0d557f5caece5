import { ResponseError, type Contender, type Priority, sendOnce } from '../Contender.ts'

/**
 * The reference for all times. Knows all limits and all units spent, sends as soon as a unit is free, keeps one unit a
 * minute for users, lets pages take turns, and repeats a failed GET at once.
 */
export const ideal: Contender = {
  name: 'ideal (omniscient)',
  settings: 'knows all limits and the usage of others; pages take turns; the reference for all times',
  start: (planner) => (page) => {
    const maxWait = page.waitsForever ? Number.POSITIVE_INFINITY : 65_000
    const call = async (priority: Priority, path: string, body?: unknown): Promise<unknown> => {
      for (;;) {
        await planner.enter(page.pageId, priority, maxWait)
        try {
          return await sendOnce(page, path, body)
        } catch (error) {
          const isRefused = error instanceof ResponseError && error.response.status === 429
          if (body !== undefined && !isRefused) throw error
        }
      }
    }
    return {
      get: (id, priority) => call(priority, `/pets/${id}`),
      post: (name, priority) => call(priority, '/categories', { name }),
    }
  },
}
