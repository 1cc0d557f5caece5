import { DocsContainer, type DocsContainerProps } from '@storybook/addon-docs/blocks'
import { type PropsWithChildren, type ReactElement, useEffect, useState } from 'react'
import { GLOBALS_UPDATED, SET_GLOBALS } from 'storybook/internal/core-events'
import { brandThemes } from './brand.ts'
import { initialGlobals, type ToolbarGlobals } from './toolbar.ts'
import { ToolbarContext } from './ToolbarContext.ts'
import { usePageTheme } from './usePageTheme.ts'

/** The frame of each docs page. Its theme is that of the toolbar, also on pages without a story. */
export function DocsFrame({ context, children }: PropsWithChildren<DocsContainerProps>): ReactElement {
  const globals = useToolbarGlobals(context.channel)
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
