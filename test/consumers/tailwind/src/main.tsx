import { CategoryManager, PetstoreProvider } from 'petstore-react'
import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root.')
createRoot(root).render(
  <StrictMode>
    <PetstoreProvider baseUrl={import.meta.env['VITE_PETSTORE_URL']} apiKey="demo">
      <CategoryManager form={{ classNames: { submit: 'p-8' } }} />
    </PetstoreProvider>
  </StrictMode>,
)
