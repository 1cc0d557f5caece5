import { DocsContainer, type DocsContainerProps } from '@storybook/addon-docs/blocks'
import { type PropsWithChildren, type ReactElement, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { SyntaxHighlighter } from 'storybook/internal/components'
import { GLOBALS_UPDATED, SET_GLOBALS } from 'storybook/internal/core-events'
import { ensure, ThemeProvider } from 'storybook/theming'
import { brandThemes } from './brand.ts'
import { initialGlobals, type ToolbarGlobals } from './toolbar.ts'
import { ToolbarContext } from './ToolbarContext.ts'
import { usePageTheme } from './usePageTheme.ts'

/**
 * Loads the syntax highlighter. Storybook loads it when a page first shows code, which has no height until then, and moves
 * all that follows. Also resolves if loading fails.
 */
export function loadHighlighter(): Promise<void> {
  return new Promise((resolve) => {
    const host = document.createElement('div')
    let hasFailed = false
    const root = createRoot(host, { onUncaughtError: () => (hasFailed = true) })
    // Renders again every 10 ms: by itself, Suspense may show what has loaded up to 300 ms later.
    const timer = setInterval(() => {
      flushSync(() =>
        root.render(
          <ThemeProvider theme={ensure(brandThemes.light)}>
            <SyntaxHighlighter language="text">code</SyntaxHighlighter>
            {/* Code without formatting, which docs pages have too, is another lazy component of Storybook. */}
            <SyntaxHighlighter language="text" format={false}>
              code
            </SyntaxHighlighter>
          </ThemeProvider>,
        ),
      )
      if (host.querySelectorAll('pre').length < 2 && !hasFailed) return
      clearInterval(timer)
      root.unmount()
      resolve()
    }, 10)
  })
}

/** The frame of each docs page. Its theme is that of the toolbar, also on pages without a story. */
export function DocsFrame({ context, children }: PropsWithChildren<DocsContainerProps>): ReactElement {
  const globals = useToolbarGlobals(context.channel)
  useKeepTargetInView()
  useLoadingMark()
  useEffect(() => {
    // A story may have been here before, in another language.
    document.documentElement.lang = 'en'
    document.documentElement.dir = 'ltr'
  }, [])
  const scheme = usePageTheme(globals.theme)
  return (
    <DocsContainer context={context} theme={brandThemes[scheme]}>
      <ToolbarContext value={globals}>{children}</ToolbarContext>
    </DocsContainer>
  )
}

type Channel = DocsContainerProps['context']['channel']

interface GlobalsMessage {
  readonly globals: Partial<ToolbarGlobals>
}

function useToolbarGlobals(channel: Channel): ToolbarGlobals {
  const [globals, setGlobals] = useState(() => lastGlobals(channel))
  useEffect(() => {
    const update = (message: GlobalsMessage) => setGlobals({ ...initialGlobals, ...message.globals })
    channel.on(GLOBALS_UPDATED, update)
    return () => channel.off(GLOBALS_UPDATED, update)
  }, [channel])
  return globals
}

/** The globals that the page has already been given, by its address or by the toolbar. */
function lastGlobals(channel: Channel): ToolbarGlobals {
  const [message]: readonly GlobalsMessage[] = channel.last(GLOBALS_UPDATED) ?? channel.last(SET_GLOBALS) ?? []
  return { ...initialGlobals, ...message?.globals }
}

/** How long the stories of a page may take to load and to play, in ms. After that, the page does not wait for them. */
const maxLoadingTime = 8_000

/**
 * Keeps the heading in the address in view, else the top of the page, until the reader acts or `maxLoadingTime` is over.
 * Storybook scrolls there once, but stories above grow while they load, and stories that move the focus scroll the page.
 */
function useKeepTargetInView(): void {
  useEffect(() => {
    const show = () => {
      const id = headingInAddress()
      if (id === '') scrollTo(0, 0)
      else document.getElementById(id)?.scrollIntoView()
    }
    const resized = new ResizeObserver(show)
    const showing = new AbortController()
    const stop = () => {
      resized.disconnect()
      showing.abort()
    }
    resized.observe(document.body)
    addEventListener('scroll', show, { signal: showing.signal })
    setTimeout(stop, maxLoadingTime)
    for (const event of ['pointerdown', 'wheel', 'touchstart', 'keydown']) {
      addEventListener(event, stop, { passive: true, signal: showing.signal })
    }
    return stop
  }, [])
}

/**
 * Marks the page with `data-docs="loading"`: preview.css then hides each story that has not been played yet, and what
 * follows it. The mark goes after `maxLoadingTime`, since a story that throws never counts as played. A timer removes it,
 * and no CSS animation: Storybook waits for the end of animations before `afterEach`, which shows a story.
 */
function useLoadingMark(): void {
  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset['docs'] = 'loading'
    const timer = setTimeout(() => delete root.dataset['docs'], maxLoadingTime)
    return () => {
      clearTimeout(timer)
      delete root.dataset['docs']
    }
  }, [])
}

/** The id after `#` in the address of the frame around the docs page; `''` without one. */
function headingInAddress(): string {
  try {
    return decodeURIComponent(parent.location.hash.slice(1))
  } catch {
    return '' // another site shows the page in its frame
  }
}
