import { isDevelopment } from '../base/development.ts'
import type { ReactElement } from 'react'
import { DevtoolsButton } from './DevtoolsButton.tsx'
import type { PetstoreDevtoolsProps } from './PetstoreDevtoolsProps.ts'

/**
 * A button in a corner of the page that opens the panel. Place it beside the app, below the `PetstoreProvider`: it
 * records from when it mounts. Escape closes the panel. In production bundles it is `null`.
 */
export function PetstoreDevtools(props: PetstoreDevtoolsProps): ReactElement | null {
  return isDevelopment && process.env.NODE_ENV !== 'production' ? <DevtoolsButton {...props} /> : null
}
