import { useSyncExternalStore } from 'react'

const wish = () => matchMedia('(prefers-contrast: more)')

/** Whether the page or the system asks for more contrast than usual: then each preview has it. */
export function usePageContrast(): 'usual' | 'more' {
  return useSyncExternalStore(subscribe, readContrast)
}

const readContrast = () =>
  wish().matches || document.documentElement.dataset['petstoreContrast'] === 'more' ? 'more' : 'usual'

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-petstore-contrast'] })
  const query = wish()
  query.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    query.removeEventListener('change', onChange)
  }
}
