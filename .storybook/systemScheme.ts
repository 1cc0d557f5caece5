import { isTest } from './isTest.ts'
import type { Scheme } from './themes.ts'

/** The color scheme of the system. It fits `useSyncExternalStore`. */
export const systemScheme = {
  get: (): Scheme => (!isTest && darkSystem().matches ? 'dark' : 'light'),
  subscribe: (listener: () => void): (() => void) => {
    // Tests choose the scheme of the page. They emulate the system's scheme only to look at forced colors.
    if (isTest) return () => {}
    const query = darkSystem()
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  },
}

const darkSystem = () => matchMedia('(prefers-color-scheme: dark)')
