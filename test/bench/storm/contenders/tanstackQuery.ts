import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { type Contender, sendOnce } from '../Contender.ts'

export const tanstackQuery: Contender = {
  name: 'TanStack Query',
  settings: 'defaults: queries have `retry: 3` with exponential delay, mutations are not retried',
  start: () => (page) => {
    // The default in browsers. Without a window it is 0.
    const client = new QueryClient({ defaultOptions: { queries: { retry: 3 } } })
    return {
      get: (id) => client.fetchQuery({ queryKey: ['pet', id], queryFn: () => sendOnce(page, `/pets/${id}`) }),
      post: (name) =>
        new MutationObserver(client, { mutationFn: () => sendOnce(page, '/categories', { name }) }).mutate(),
    }
  },
}
