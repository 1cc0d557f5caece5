import { useLayoutEffect, useSyncExternalStore } from 'react'
import { systemScheme } from './systemScheme.ts'
import { type Scheme, themes } from './themes.ts'
import type { ToolbarGlobals } from './toolbar.ts'

/** Applies the theme of the toolbar to the page. Returns its color scheme. */
export function usePageTheme(theme: ToolbarGlobals['theme']): Scheme {
  const system = useSyncExternalStore(systemScheme.subscribe, systemScheme.get)
  const followsSystem = theme === 'system' || theme === 'all'
  const { scheme, contrast } = followsSystem ? themes[system] : themes[theme]

  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset['theme'] = scheme
    root.dataset['petstoreContrast'] = contrast
  }, [scheme, contrast])

  return scheme
}
