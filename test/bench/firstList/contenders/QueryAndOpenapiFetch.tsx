import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import createClient from 'openapi-fetch'
import { render } from './render.tsx'
import { type Row, Rows } from './Rows.tsx'

/** What openapi-typescript writes of the service's interface. */
interface Paths {
  readonly '/categories': {
    readonly get: {
      readonly responses: { readonly 200: { readonly content: { readonly 'application/json': Row[] } } }
    }
  }
}

const client = createClient<Paths>({ baseUrl: '/v1', headers: { Authorization: 'Bearer demo' } })
const queryClient = new QueryClient()

function Page() {
  const { data = [] } = useQuery({
    queryKey: ['categories'],
    queryFn: async ({ signal }) => {
      const { data: rows } = await client.GET('/categories', { signal })
      if (!rows) throw new Error('The service responded with an error.')
      return rows
    },
  })
  return <Rows rows={data} />
}

render(
  <QueryClientProvider client={queryClient}>
    <Page />
  </QueryClientProvider>,
)
