import { type ReactElement, type ReactNode, useLayoutEffect } from 'react'
import { locales } from './locales.ts'
import { SideBySide } from './SideBySide.tsx'
import { themes } from './themes.ts'
import type { ToolbarGlobals } from './toolbar.ts'

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
  const { locale: lang } = locales[locale]
  const { scheme, contrast } = themes[theme === 'all' ? 'light' : theme]

  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset['theme'] = scheme
    root.dataset['petstoreContrast'] = contrast
    root.dataset['petstoreDensity'] = density
    // A docs page is in English, and its stories differ from each other.
    root.lang = isDocsPage ? 'en' : lang
    root.dir = isDocsPage ? 'ltr' : direction
  }, [scheme, contrast, density, lang, direction, isDocsPage])

  if (theme === 'all' && !isDocsPage) return <SideBySide storyId={storyId} globals={globals} />
  return (
    <div
      {...(isDocsPage && { lang, dir: direction })}
      style={width === 'full' ? undefined : { inlineSize: `${width}px`, maxInlineSize: '100%' }}
    >
      {children}
    </div>
  )
}
