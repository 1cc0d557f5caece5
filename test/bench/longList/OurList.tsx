import type { ReactElement } from 'react'
import { SWRConfig, unstable_serialize } from 'swr'
import { cacheKey } from '../../../src/client/cacheKey.ts'
import { CategoryList, type CategoryListProps } from '../../../src/components/CategoryList/CategoryList.tsx'
import { operations } from '../../../src/contract/operations.ts'
import {
  type Category,
  createMemoryStore,
  createPetstoreClient,
  type PetstoreClient,
  PetstoreProvider,
} from '../../../src/index.ts'
import type { Contender } from './Contender.ts'

let arrive: (rows: readonly Category[]) => void = () => {}
const arrival = new Promise<readonly Category[]>((resolve) => {
  arrive = resolve
})
const real = createPetstoreClient({ baseUrl: 'https://petstore.test/v1', rateLimitStore: createMemoryStore() })
/** Responses when the measurement begins. */
const client: PetstoreClient = { ...real, call: () => arrival as Promise<never> }
const entry = unstable_serialize(cacheKey(client, operations.listCategories, undefined))

interface OurListProps extends CategoryListProps {
  /** In the cache already; `undefined`: still to come. */
  readonly rows: readonly Category[] | undefined
}

function OurList({ rows, ...props }: OurListProps): ReactElement {
  return (
    <SWRConfig value={{ fallback: rows ? { [entry]: rows } : {}, revalidateIfStale: false, revalidateOnFocus: false }}>
      <PetstoreProvider client={client}>
        <CategoryList {...props} />
      </PetstoreProvider>
    </SWRConfig>
  )
}

export function ourList(props: CategoryListProps): Contender {
  return { App: ({ rows }) => <OurList {...props} rows={rows} />, give: arrive }
}
