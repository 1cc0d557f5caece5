import type { ReactElement } from 'react'
import { SWRConfig, unstable_serialize } from 'swr'
import { cacheKey } from '../../../../src/client/cacheKey.ts'
import { CategoryList } from '../../../../src/components/CategoryList/CategoryList.tsx'
import { operations } from '../../../../src/contract/operations.ts'
import { type Category, createPetstoreClient, type PetstoreClient, PetstoreProvider } from '../../../../src/index.ts'
import { createMemoryStore } from '../../../../src/rate-limit/stores/memoryStore.ts'
import { measure } from '../measure.tsx'

let deliver: (rows: readonly Category[]) => void = () => {}
const delivery = new Promise<readonly Category[]>((resolve) => {
  deliver = resolve
})
const realClient = createPetstoreClient({ baseUrl: 'https://petstore.test/v1', rateLimitStore: createMemoryStore() })
/** Responds when the measurement starts. */
const client: PetstoreClient = { ...realClient, call: () => delivery as Promise<never> }
const listCacheKey = unstable_serialize(cacheKey(client, operations.listCategories, undefined))

function CategoryListPage({ rows }: { readonly rows: readonly Category[] | undefined }): ReactElement {
  return (
    <SWRConfig
      value={{ fallback: rows ? { [listCacheKey]: rows } : {}, revalidateIfStale: false, revalidateOnFocus: false }}
    >
      <PetstoreProvider client={client}>
        <CategoryList />
      </PetstoreProvider>
    </SWRConfig>
  )
}

measure({ App: CategoryListPage, deliver })
