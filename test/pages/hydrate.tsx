import { hydrateRoot } from 'react-dom/client'
import { App, type AppProps } from './App.tsx'

const read = (id: string) => {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no #${id}.`)
  return element
}

hydrateRoot(read('root'), <App {...(JSON.parse(read('data').textContent) as AppProps)} />, {
  onRecoverableError: (error) => console.error('hydration', error),
})
