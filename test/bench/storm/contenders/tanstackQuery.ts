import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { type Contender, sendOnce } from '../Contender.ts'

export const tanstackQuery: Contender = {
  name: 'TanStack Query',
  settings: 'defaults: queries have `retry: 3` with exponential delay, mutations are not retried',
  start: () => (page) => {
    // Three retries are the default in browsers. Without a window there would be none.
    const client = new QueryClient({ defaultOptions: { queries: { retry: 3 } } })
    return {
      get: (id) => client.fetchQuery({ queryKey: ['pet', id], queryFn: () => sendOnce(page, `/pets/${id}`) }),
      post: (name) =>
        new MutationObserver(client, { mutationFn: () => sendOnce(page, '/categories', { name }) }).mutate(),
    }
  },
}
