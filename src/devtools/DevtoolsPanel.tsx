'use client'

import type { ReactElement } from 'react'
import { DevtoolsView } from './DevtoolsView.tsx'
import type { PetstoreDevtoolsProps } from './PetstoreDevtoolsProps.ts'
import { useShownClient } from './useShownClient.ts'

/** The panel itself, to place anywhere. */
export function DevtoolsPanel({ client }: PetstoreDevtoolsProps): ReactElement {
  return <DevtoolsView client={useShownClient(client)} />
}
