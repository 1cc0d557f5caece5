import { isDevelopment } from '../base/development.ts'
import type { ReactElement } from 'react'
import { DevtoolsPanel } from './DevtoolsPanel.tsx'
import type { PetstoreDevtoolsProps } from './PetstoreDevtoolsProps.ts'

/**
 * Shows what the gate of a client does: the quota, the calls that wait and why, the calls that have ended, the cache,
 * and what the gate knows. Records while it is mounted, or while a `PetstoreDevtools` for the same client is. In
 * production bundles it is `null`.
 */
export function PetstoreDevtoolsPanel(props: PetstoreDevtoolsProps): ReactElement | null {
  return isDevelopment && process.env.NODE_ENV !== 'production' ? <DevtoolsPanel {...props} /> : null
}
