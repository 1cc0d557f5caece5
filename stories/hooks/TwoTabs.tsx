import { type ReactElement, useState } from 'react'
import { SWRConfig } from 'swr'
import { PetstoreProvider, useCategories, useCreateCategory } from '../../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'

function CategoryNames(): ReactElement {
  const { data } = useCategories()
  const { trigger } = useCreateCategory()
  return (
    <>
      <ul aria-label="Categories">
        {data?.map(({ id, name }) => (
          <li key={id} dir="auto">
            {name}
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => void trigger({ name: 'Hamster' })}>
        Create a category
      </button>
    </>
  )
}

interface TabProps {
  readonly name: string
  readonly service: PetstoreService
  readonly shareResponses: boolean
  readonly onGet: () => void
}

/** One tab, with a cache, a client and a request limit of its own. */
function Tab({ name, service, shareResponses, onGet }: TabProps): ReactElement {
  const [cache] = useState(() => new Map())
  const [rateLimitStore] = useState(() => createPetstoreService().providerProps().rateLimitStore)
  const [fetch] = useState(() => (request: Request) => {
    if (request.method === 'GET') onGet()
    return service.fetch(request)
  })
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <SWRConfig value={{ provider: () => cache }}>
        <PetstoreProvider {...{ ...service.providerProps(), fetch, rateLimitStore, shareResponses }}>
          <CategoryNames />
        </PetstoreProvider>
      </SWRConfig>
    </section>
  )
}

/** Two tabs of an app, side by side. What one of them loads or creates shows in the other without a request. */
export function TwoTabs({ shareResponses }: { readonly shareResponses: boolean }): ReactElement {
  const [service] = useState(() => createPetstoreService({ categories: [{ name: 'Rabbit' }] }))
  const [gets, setGets] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  const onGet = () => setGets((count) => count + 1)
  return (
    <>
      <Tab {...{ name: 'First tab', service, shareResponses, onGet }} />
      {isOpen ? (
        <Tab {...{ name: 'Second tab', service, shareResponses, onGet }} />
      ) : (
        <button type="button" onClick={() => setIsOpen(true)}>
          Open a second tab
        </button>
      )}
      <p>{`GET requests: ${gets}`}</p>
    </>
  )
}
