import { CategoryManager, PetstoreProvider } from 'petstore-react'
import 'petstore-react/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
// Last, as in a page that loads its own styles after those of packages.
import './host.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root.')
createRoot(root).render(
  <StrictMode>
    <PetstoreProvider baseUrl={import.meta.env['VITE_PETSTORE_URL']} apiKey="demo">
      <CategoryManager />
    </PetstoreProvider>
  </StrictMode>,
)
