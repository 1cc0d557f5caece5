import { CategoryForm, CategoryList, PetstoreProvider } from 'petstore-react'
import type { ReactElement } from 'react'
import 'petstore-react/styles.css'

export const App = (): ReactElement => (
  <PetstoreProvider baseUrl="/v1" apiKey="demo">
    <CategoryList />
    <CategoryForm />
  </PetstoreProvider>
)
