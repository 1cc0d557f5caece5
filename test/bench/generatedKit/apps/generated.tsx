import type { ReactElement } from 'react'
import { useCreateCategory, useListCategories } from '../node_modules/.kit/petstore.ts'
import { PlainPage } from '../PlainPage.tsx'

const fetch = { headers: { Authorization: 'Bearer demo' } }

export function App(): ReactElement {
  const { data, error } = useListCategories<Error>({ fetch })
  const creation = useCreateCategory<Error>({ fetch })
  return (
    <PlainPage
      rows={data?.data}
      error={error ?? creation.error}
      isCreating={creation.isMutating}
      create={(category) => creation.trigger(category)}
    />
  )
}
