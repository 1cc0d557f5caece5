import { CategoryManager, PetstoreProvider } from 'petstore-react'
import 'petstore-react/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')
createRoot(root).render(
  <StrictMode>
    <PetstoreProvider baseUrl="/api/petstore/v1">
      <CategoryManager />
    </PetstoreProvider>
  </StrictMode>,
)
