import type { ReactElement } from 'react'
import { DevtoolsPanel } from './DevtoolsPanel.tsx'

/** `petstoreDevtoolsPlugin` with the panel in every bundle. */
export const devtoolsPlugin: { readonly name: string; readonly render: ReactElement } = {
  name: 'Petstore',
  render: <DevtoolsPanel />,
}
