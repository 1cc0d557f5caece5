import { CategoryManager, createPetstoreClient, PetstoreProvider, prefetchCategories } from 'petstore-react'
import { SWRConfig } from 'swr'
import { Names } from './Names.tsx'
import { service } from './service.ts'

export const dynamic = 'force-dynamic'

export default async function Page() {
  const cacheScope = 'everybody'
  const client = createPetstoreClient({ ...service(), cacheScope })
  return (
    // The data are fresh, so the page does not load them again when it mounts.
    <SWRConfig value={{ fallback: await prefetchCategories(client), revalidateIfStale: false }}>
      <PetstoreProvider baseUrl="/api/petstore/v1" cacheScope={cacheScope}>
        <CategoryManager />
        <Names />
      </PetstoreProvider>
    </SWRConfig>
  )
}
