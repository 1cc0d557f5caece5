import { useInsertionEffect } from 'react'
import type { PetstoreClient } from '../client/PetstoreClient.ts'
import { recorderOf } from './recorderOf.ts'

/** Records what a client does while the component is mounted. Later effects would miss calls that settle before them. */
export function useRecording(client: PetstoreClient | undefined): void {
  useInsertionEffect(() => client && recorderOf(client).subscribe(() => {}), [client])
}
