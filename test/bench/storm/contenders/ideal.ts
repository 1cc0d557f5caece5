import { ResponseError, type Contender, type Priority, sendOnce } from '../Contender.ts'

/** The way to the service takes about that long, in ms: a request counts when it arrives. */
const wayThere = 50

/**
 * What all are measured by: knows the service's windows and everybody's use of them, sends at the very moment a unit
 * is free, keeps one unit a minute for people, and makes a GET again at once when something goes wrong.
 */
export const ideal: Contender = {
  name: 'ideal (omniscient)',
  settings: 'knows the windows and what others take; the measure for all times',
  start: (planner) => (page) => {
    const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
    const call = async (priority: Priority, path: string, body?: unknown): Promise<unknown> => {
      for (;;) {
        const arrival = planner.now() + wayThere
        const at = planner.reserve(arrival, priority === 'background' ? 1 : 0)
        const wait = at === arrival ? 0 : at - planner.now()
        if (wait > 65_000 && !page.isPatient) throw new Error('Not today.')
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
