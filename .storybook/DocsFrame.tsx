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
 * Loads the syntax highlighter. Storybook loads it with the first code of a page, which has no height until then and moves
 * all that follows. Also resolves if loading fails.
 */
export function loadHighlighter(): Promise<void> {
  return new Promise((resolve) => {
    const host = document.createElement('div')
    let hasFailed = false
    const root = createRoot(host, { onUncaughtError: () => (hasFailed = true) })
    // Renders again and again: Suspense by itself would show up to 300 ms later what has loaded.
    const timer = setInterval(() => {
      flushSync(() =>
        root.render(
          <ThemeProvider theme={ensure(brandThemes.light)}>
            <SyntaxHighlighter language="text">code</SyntaxHighlighter>
            {/* Docs pages have code with and without formatting. */}
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
  useStartInView()
  useLoadingTime()
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

/** How long a page may take to load its stories, in ms. */
const loadingTime = 8_000

/**
 * Keeps the heading that the address names in view, else the top of the page, until the reader does something. Storybook
 * scrolls to it once, but stories above it grow while they load, and stories that move the focus scroll the page.
 */
function useStartInView(): void {
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
    setTimeout(stop, loadingTime)
    for (const event of ['pointerdown', 'wheel', 'touchstart', 'keydown']) {
      addEventListener(event, stop, { passive: true, signal: showing.signal })
    }
    return stop
  }, [])
}

/**
 * Marks the page while its stories get into their states: the styles show them one after the other (preview.css). A story
 * that throws gets nowhere, and must not hide the rest. No animation may do this: Storybook waits for each before it goes on.
 */
function useLoadingTime(): void {
  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset['docs'] = 'loading'
    const timer = setTimeout(() => delete root.dataset['docs'], loadingTime)
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
