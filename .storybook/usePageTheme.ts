import { useLayoutEffect, useSyncExternalStore } from 'react'
import { systemScheme } from './systemScheme.ts'
import { type Scheme, type ThemeName, themes } from './themes.ts'
import type { ToolbarGlobals } from './toolbar.ts'

/** Applies the theme of the toolbar to the page. Returns its color scheme. */
export function usePageTheme(theme: ToolbarGlobals['theme']): Scheme {
  const system = useSyncExternalStore(systemScheme.subscribe, systemScheme.get)
  // `system` and `all` follow the system, and so does a name that someone has written into the address.
  const { scheme, contrast } = themes[Object.hasOwn(themes, theme) ? (theme as ThemeName) : system]

  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset['theme'] = scheme
    root.dataset['petstoreContrast'] = contrast
  }, [scheme, contrast])

  return scheme
}
