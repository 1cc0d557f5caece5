import type { ReactElement } from 'react'
import { isDevelopment } from '../base/development.ts'
import { DevtoolsButton, DevtoolsPanel, type PetstoreDevtoolsProps } from './DevtoolsPanel.tsx'

/**
 * A button in a corner of the page that opens the panel. Place it beside the app, below the `PetstoreProvider`: it
 * records from when it mounts. Escape closes the panel. In production bundles it is `null`.
 */
export function PetstoreDevtools(props: PetstoreDevtoolsProps): ReactElement | null {
  return isDevelopment && process.env.NODE_ENV !== 'production' ? <DevtoolsButton {...props} /> : null
}

/**
 * Shows what the gate of a client does and knows: the quota, the calls that wait and why, and those that have ended. Records
 * while it is mounted, or while a `PetstoreDevtools` for the same client is. In production bundles it is `null`.
 */
export function PetstoreDevtoolsPanel(props: PetstoreDevtoolsProps): ReactElement | null {
  return isDevelopment && process.env.NODE_ENV !== 'production' ? <DevtoolsPanel {...props} /> : null
}
