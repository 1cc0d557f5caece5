import { type ReactElement, type ReactNode, useLayoutEffect } from 'react'
import { locales } from './locales.ts'
import { SideBySide } from './SideBySide.tsx'
import type { ToolbarGlobals } from './toolbar.ts'
import { useHostPage } from './useHostPage.ts'
import { usePageTheme } from './usePageTheme.ts'

interface StoryFrameProps {
  readonly storyId: string
  /** Whether the story is on a docs page. There it is not shown in all themes side by side: its page has many stories. */
  readonly isDocsPage: boolean
  readonly globals: ToolbarGlobals
  readonly children: ReactNode
}

/**
 * Applies the toolbar's theme, density, language, direction, width and host page to the page around a story. On a docs
 * page, whose text is English, language and direction apply to the story alone, and no host page applies.
 */
export function StoryFrame({ storyId, isDocsPage, globals, children }: StoryFrameProps): ReactElement {
  const { theme, density, width, host } = globals
  const { lang, dir } = languageOf(globals)

  usePageTheme(theme)
  useHostPage(isDocsPage ? 'none' : host)
  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset['petstoreDensity'] = density
    root.lang = isDocsPage ? 'en' : lang
    root.dir = isDocsPage ? 'ltr' : dir
  }, [isDocsPage, density, lang, dir])

  if (theme === 'all' && !isDocsPage) {
    return <SideBySide key={[storyId, ...Object.values(globals)].join()} storyId={storyId} globals={globals} />
  }
  return (
    <div
      {...(isDocsPage && { lang, dir })}
      style={width === 'full' ? undefined : { inlineSize: `${width}px`, maxInlineSize: '100%' }}
    >
      {children}
    </div>
  )
}

/** The attributes of an element whose text is in the toolbar's language and direction. */
export function languageOf({ locale, direction }: ToolbarGlobals): {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
} {
  const usualDirection = locale === 'ar' ? 'rtl' : 'ltr'
  return { lang: locales[locale].locale, dir: direction === 'locale' ? usualDirection : direction }
}
