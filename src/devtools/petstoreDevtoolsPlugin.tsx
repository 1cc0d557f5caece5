import type { ReactElement } from 'react'
import { PetstoreDevtoolsPanel } from './PetstoreDevtools.tsx'

/** The panel as a plugin of TanStack Devtools: `<TanStackDevtools plugins={[petstoreDevtoolsPlugin]} />`. */
export const petstoreDevtoolsPlugin: {
  /** The name of the tab. */
  readonly name: string
  /** The panel. */
  readonly render: ReactElement
} = {
  name: 'Petstore',
  render: <PetstoreDevtoolsPanel />,
}
