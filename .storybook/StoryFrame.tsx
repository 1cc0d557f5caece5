import { type ReactElement, type ReactNode, useLayoutEffect } from 'react'
import { locales } from './locales.ts'
import { initialGlobals, type ToolbarGlobals } from './toolbar.ts'

const themes = {
  light: { scheme: 'light', contrast: 'usual', title: 'Light' },
  dark: { scheme: 'dark', contrast: 'usual', title: 'Dark' },
  contrast: { scheme: 'light', contrast: 'more', title: 'High contrast' },
} as const

/** The frames of "All side by side", as far as they are there. */
export const framesSideBySide = Object.values(themes).map(
  ({ title }) =>
    () =>
      document.querySelector<HTMLIFrameElement>(`.side-by-side iframe[title="${title}"]`)?.contentWindow,
)

interface StoryFrameProps {
  readonly storyId: string
  /** Whether the story stands alone on its page: a docs page would have three frames for each of its stories. */
  readonly isAlone: boolean
  readonly globals: ToolbarGlobals
  readonly children: ReactNode
}

/** The page around a story, as the toolbar wants it. */
export function StoryFrame({ storyId, isAlone, globals, children }: StoryFrameProps): ReactElement {
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

  if (theme === 'all' && isAlone) return <SideBySide storyId={storyId} globals={globals} />
  return (
    <div style={width === 'full' ? undefined : { inlineSize: `${width}px`, maxInlineSize: '100%' }}>{children}</div>
  )
}

/** In frames of their own, so that neither ids nor play functions are tripled. */
function SideBySide({ storyId, globals }: Pick<StoryFrameProps, 'storyId' | 'globals'>): ReactElement {
  return (
    <div className="side-by-side">
      {(['light', 'dark', 'contrast'] as const).map((theme) => {
        const address = new URL('iframe.html', location.href)
        address.searchParams.set('id', storyId)
        address.searchParams.set('viewMode', 'story')
        // Storybook has globals of its own, which an address cannot carry: "false" would come to be true.
        const names = Object.keys(initialGlobals) as (keyof ToolbarGlobals)[]
        const wanted = names.map((name) => `${name}:${name === 'theme' ? theme : globals[name]}`)
        address.searchParams.set('globals', wanted.join(';'))
        const { title } = themes[theme]
        return (
          <figure key={theme}>
            <figcaption lang="en">{title}</figcaption>
            {/* The page's own frame: nothing to be shut in. */}
            {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
            <iframe title={title} src={address.href} />
          </figure>
        )
      })}
    </div>
  )
}
