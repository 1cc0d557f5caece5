import { createRoot } from 'react-dom/client'
// The build resolves this to one of apps/.
import { App } from 'app'

const container = document.querySelector('main')
if (!container) throw new Error('The page has no main.')
createRoot(container).render(<App />)
