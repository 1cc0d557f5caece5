import { PetstoreProvider, useCategories } from '../../../../src/index.ts'
import { render } from './render.tsx'
import { Rows } from './Rows.tsx'

function Page() {
  const { data = [] } = useCategories()
  return <Rows rows={data} />
}

render(
  <PetstoreProvider baseUrl="/v1" apiKey="demo">
    <Page />
  </PetstoreProvider>,
)
