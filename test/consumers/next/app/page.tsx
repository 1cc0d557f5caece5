import { CategoryManager, PetstoreProvider, prefetchCategories } from 'petstore-react'
import { SWRConfig } from 'swr'
import { Names } from './Names.tsx'
import { petstore } from './petstore.ts'

export const dynamic = 'force-dynamic'

export default async function Page() {
  const { client } = petstore
  return (
    // The data are fresh, so the page does not load them again when it mounts.
    <SWRConfig value={{ fallback: await prefetchCategories(client), revalidateIfStale: false }}>
      <PetstoreProvider baseUrl="/api/petstore/v1" cacheScope={client.cacheScope}>
        <CategoryManager />
        <Names />
      </PetstoreProvider>
    </SWRConfig>
  )
}
