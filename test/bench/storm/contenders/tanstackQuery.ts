import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { type Contender, sendOnce } from '../Contender.ts'

export const tanstackQuery: Contender = {
  name: 'TanStack Query',
  settings: 'its defaults: queries `retry: 3` with its exponential delay, mutations not retried',
  start: () => (page) => {
    // 3 is the default in browsers; without a window it would be 0.
    const client = new QueryClient({ defaultOptions: { queries: { retry: 3 } } })
    return {
      get: (id) => client.fetchQuery({ queryKey: ['pet', id], queryFn: () => sendOnce(page, `/pets/${id}`) }),
      post: (name) =>
        new MutationObserver(client, { mutationFn: () => sendOnce(page, '/categories', { name }) }).mutate(),
    }
  },
}
