import { CategoryList, PetstoreProvider } from '../../../../src/index.ts'
import { render } from './render.tsx'

render(
  <PetstoreProvider baseUrl="/v1" apiKey="demo">
    <CategoryList />
  </PetstoreProvider>,
)
