import { type ReactElement, type ReactNode, useLayoutEffect } from 'react'
import { locales } from './locales.ts'
import { SideBySide } from './SideBySide.tsx'
import type { ToolbarGlobals } from './toolbar.ts'
import { usePageTheme } from './usePageTheme.ts'

interface StoryFrameProps {
  readonly storyId: string
  /** Whether this is a docs page, which shows many stories. Three frames for each of them would be too many. */
  readonly isDocsPage: boolean
  readonly globals: ToolbarGlobals
  readonly children: ReactNode
}

/** Applies the toolbar's theme, density, language, direction and width to the page around a story. */
export function StoryFrame({ storyId, isDocsPage, globals, children }: StoryFrameProps): ReactElement {
  const { theme, density, width, locale } = globals
  const direction = globals.direction === 'locale' ? (locale === 'ar' ? 'rtl' : 'ltr') : globals.direction

  usePageTheme(theme)
  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset['petstoreDensity'] = density
    root.lang = locales[locale].locale
    root.dir = direction
  }, [density, locale, direction])

  if (theme === 'all' && !isDocsPage) return <SideBySide storyId={storyId} globals={globals} />
  return (
    <div style={width === 'full' ? undefined : { inlineSize: `${width}px`, maxInlineSize: '100%' }}>{children}</div>
  )
}
