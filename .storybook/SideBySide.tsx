import { type ReactElement, useEffect, useState } from 'react'
import { onMessage } from './serviceMessages.ts'
import { type ThemeName, themeNames, themes } from './themes.ts'
import { initialGlobals, type ToolbarGlobals } from './toolbar.ts'

/** For each theme, a function that returns the window of its frame, while that is on the page. */
export const sideBySideFrames = themeNames.map((theme) => (): Window | null | undefined => {
  const selector = `.side-by-side iframe[title="${themes[theme].title}"]`
  return document.querySelector<HTMLIFrameElement>(selector)?.contentWindow
})

interface SideBySideProps {
  readonly storyId: string
  readonly globals: ToolbarGlobals
}

/**
 * A story in every theme. Each theme has a frame, so that ids stay unique and a page plays one story. A frame loads when the
 * one before has played its story: they would take the focus from each other.
 */
export function SideBySide({ storyId, globals }: SideBySideProps): ReactElement {
  const [loadingIndex, setLoadingIndex] = useState(0)
  useEffect(() => {
    const stops = sideBySideFrames.map((getFrame, index) =>
      onMessage(getFrame, ({ type }) => {
        if (type === 'petstore/story-finished') setLoadingIndex((last) => Math.max(last, index + 1))
      }),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return (
    <div className="side-by-side">
      {themeNames.map((theme, index) => {
        const { title, scheme, contrast } = themes[theme]
        const src = index <= loadingIndex ? storyAddress(storyId, { ...globals, theme }) : undefined
        return (
          <figure key={theme} lang="en">
            <figcaption>{title}</figcaption>
            {/* `data-theme` is for the frame's border. The page in it is this Storybook's own: no need for a sandbox. */}
            {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
            <iframe title={title} src={src} data-theme={scheme} />
            {index >= loadingIndex && (
              <p data-theme={scheme} data-petstore-contrast={contrast}>
                Loading…
              </p>
            )}
          </figure>
        )
      })}
    </div>
  )
}

function storyAddress(storyId: string, globals: ToolbarGlobals & { readonly theme: ThemeName }): string {
  const address = new URL('iframe.html', location.href)
  address.searchParams.set('id', storyId)
  address.searchParams.set('viewMode', 'story')
  // Only the toolbar's own globals: those of Storybook do not survive an address (the text "false" would count as true).
  const names = Object.keys(initialGlobals) as (keyof ToolbarGlobals)[]
  address.searchParams.set('globals', names.map((name) => `${name}:${globals[name]}`).join(';'))
  return address.href
}
