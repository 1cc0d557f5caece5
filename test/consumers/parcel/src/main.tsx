import { CategoryManager, PetstoreProvider } from 'petstore-react'
import { createPetstoreClient } from 'petstore-react/client'
import { en } from 'petstore-react/locales/en'
import 'petstore-react/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const client = createPetstoreClient({ baseUrl: 'https://your-petstore-host/v1', apiKey: 'demo' })
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root.')
createRoot(root).render(
  <StrictMode>
    <PetstoreProvider client={client} labels={en}>
      <CategoryManager />
    </PetstoreProvider>
  </StrictMode>,
)
