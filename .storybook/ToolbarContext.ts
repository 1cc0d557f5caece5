import { createContext } from 'react'
import { initialGlobals, type ToolbarGlobals } from './toolbar.ts'

/** The choices of the toolbar, on docs pages. Stories get them from Storybook. */
export const ToolbarContext = createContext<ToolbarGlobals>(initialGlobals)
