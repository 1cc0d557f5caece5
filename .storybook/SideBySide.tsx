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
 * A story in every theme. Each has a frame of its own, so that ids stay unique and play functions run once per page. A frame
 * loads when the one before has played its story: they would take the focus from each other.
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
            {/* The attribute gives its edge the colors of its page, which is of this Storybook: there is nothing to sandbox. */}
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
  // Only the toolbar's own globals: those of Storybook do not survive an address ("false" would become true).
  const names = Object.keys(initialGlobals) as (keyof ToolbarGlobals)[]
  address.searchParams.set('globals', names.map((name) => `${name}:${globals[name]}`).join(';'))
  return address.href
}
