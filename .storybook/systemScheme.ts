import { isTest } from './isTest.ts'
import type { Scheme } from './themes.ts'

/** The color scheme of the system. It fits `useSyncExternalStore`. */
export const systemScheme = {
  get: (): Scheme => (!isTest && darkSystem().matches ? 'dark' : 'light'),
  subscribe: (listener: () => void): (() => void) => {
    // Tests choose the scheme themselves, and emulate the one of the system for other reasons.
    if (isTest) return () => {}
    const query = darkSystem()
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  },
}

const darkSystem = () => matchMedia('(prefers-color-scheme: dark)')
