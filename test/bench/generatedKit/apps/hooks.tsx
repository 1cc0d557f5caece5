import { PetstoreProvider, useCategories, useCreateCategory } from 'petstore-react'
import type { ReactElement } from 'react'
import { PlainPage } from '../PlainPage.tsx'

function Categories(): ReactElement {
  const { data, error } = useCategories()
  const creation = useCreateCategory()
  return (
    <PlainPage
      rows={data}
      error={error ?? creation.error}
      isCreating={creation.isMutating}
      create={(category) => creation.trigger(category)}
    />
  )
}

export const App = (): ReactElement => (
  <PetstoreProvider baseUrl="/v1" apiKey="demo">
    <Categories />
  </PetstoreProvider>
)
