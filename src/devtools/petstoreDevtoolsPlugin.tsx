import type { ReactElement } from 'react'
import { PetstoreDevtoolsPanel } from './PetstoreDevtools.tsx'

/** The panel as a plugin of TanStack Devtools: `<TanStackDevtools plugins={[petstoreDevtoolsPlugin]} />`. */
export const petstoreDevtoolsPlugin: { readonly name: string; readonly render: ReactElement } = {
  name: 'Petstore',
  render: <PetstoreDevtoolsPanel />,
}
