import { hydrateRoot } from 'react-dom/client'
import { App, type AppProps } from './App.tsx'

const elementById = (id: string) => {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no #${id}.`)
  return element
}

hydrateRoot(elementById('root'), <App {...(JSON.parse(elementById('data').textContent) as AppProps)} />, {
  onRecoverableError: (error) => console.error('hydration', error),
})
