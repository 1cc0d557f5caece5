import { connection } from 'next/server'
import { CategoryManager, PetstoreProvider, prefetchCategories } from 'petstore-react'
import { Suspense } from 'react'
import { SWRConfig } from 'swr'
import { Names } from './Names.tsx'
import { petstore } from './petstore.ts'

export default function Page() {
  return (
    <Suspense fallback={<p>Loading…</p>}>
      <Categories />
    </Suspense>
  )
}

async function Categories() {
  // A prerender ends here: the rows are loaded for each visit.
  await connection()
  const { client } = petstore
  return (
    // The data are fresh, so the page does not load them again when it mounts.
    <SWRConfig value={{ fallback: await prefetchCategories(client) }}>
      <PetstoreProvider baseUrl="/api/petstore/v1" cacheScope={client.cacheScope}>
        <CategoryManager />
        <Names />
      </PetstoreProvider>
    </SWRConfig>
  )
}
