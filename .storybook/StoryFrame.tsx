import { type ReactElement, type ReactNode, useLayoutEffect } from 'react'
import { locales } from './locales.ts'
import type { ToolbarGlobals } from './toolbar.ts'

const themes = {
  light: { scheme: 'light', contrast: 'usual', title: 'Light' },
  dark: { scheme: 'dark', contrast: 'usual', title: 'Dark' },
  contrast: { scheme: 'light', contrast: 'more', title: 'High contrast' },
} as const

interface StoryFrameProps {
  readonly storyId: string
  readonly globals: ToolbarGlobals
  readonly children: ReactNode
}

/** The page around a story, as the toolbar wants it. */
export function StoryFrame({ storyId, globals, children }: StoryFrameProps): ReactElement {
  const { theme, density, width, locale } = globals
  const direction = globals.direction === 'locale' ? (locale === 'ar' ? 'rtl' : 'ltr') : globals.direction
  const { scheme, contrast } = themes[theme === 'all' ? 'light' : theme]

  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset['theme'] = scheme
    root.dataset['petstoreContrast'] = contrast
    root.dataset['petstoreDensity'] = density
    root.lang = locales[locale].locale
    root.dir = direction
  }, [scheme, contrast, density, locale, direction])

  if (theme === 'all') return <SideBySide storyId={storyId} globals={globals} />
  return (
    <div style={width === 'full' ? undefined : { inlineSize: `${width}px`, maxInlineSize: '100%' }}>{children}</div>
  )
}

/** In frames of their own, so that neither ids nor play functions are tripled. */
function SideBySide({ storyId, globals }: Omit<StoryFrameProps, 'children'>): ReactElement {
  return (
    <div className="side-by-side">
      {(['light', 'dark', 'contrast'] as const).map((theme) => {
        const address = new URL('iframe.html', location.href)
        address.searchParams.set('id', storyId)
        address.searchParams.set('viewMode', 'story')
        const wanted = Object.entries({ ...globals, theme }).map(([name, value]) => `${name}:${value}`)
        address.searchParams.set('globals', wanted.join(';'))
        // The page's own frame: nothing to be shut in.
        // oxlint-disable-next-line react/iframe-missing-sandbox
        return <iframe key={theme} title={themes[theme].title} src={address.href} />
      })}
    </div>
  )
}
