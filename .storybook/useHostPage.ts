import { useLayoutEffect } from 'react'
import { type HostName, type HostPage, hostPages } from './hosts.ts'

/** Adds the styles of a page around the story: a framework's before all others, the app's own after them. */
export function useHostPage(name: 'none' | HostName): void {
  useLayoutEffect(() => {
    if (name === 'none') return undefined
    const { framework, own = '' }: HostPage = hostPages[name]
    const [before, after] = [document.createElement('style'), document.createElement('style')]
    after.textContent = own
    document.head.prepend(before)
    document.head.append(after)
    void framework?.().then((text) => {
      before.textContent = text
    })
    return () => {
      before.remove()
      after.remove()
    }
  }, [name])
}
