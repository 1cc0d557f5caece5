import { ResponseError, type Contender, type Priority, sendOnce } from '../Contender.ts'

/** The delay of a request, in ms: the service counts it when it arrives. */
const requestDelay = 50

/**
 * The reference for all times. Knows the service's windows and all units spent, sends as soon as a unit is free, keeps
 * one unit a minute for users, and repeats a failed GET at once.
 */
export const ideal: Contender = {
  name: 'ideal (omniscient)',
  settings: 'knows the windows and the usage of others; the reference for all times',
  start: (planner) => (page) => {
    const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
    const call = async (priority: Priority, path: string, body?: unknown): Promise<unknown> => {
      for (;;) {
        const arrival = planner.now() + requestDelay
        const at = planner.reserve(arrival, priority === 'background' ? 1 : 0)
        const wait = at === arrival ? 0 : at - planner.now()
        if (wait > 65_000 && !page.waitsForever) throw new Error('The wait would be too long.')
        if (wait > 0) await sleep(wait)
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
