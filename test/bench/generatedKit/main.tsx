import { createRoot } from 'react-dom/client'
// One of apps/, chosen by the build.
import { App } from 'app'

const container = document.querySelector('main')
if (!container) throw new Error('The page has no main.')
createRoot(container).render(<App />)
