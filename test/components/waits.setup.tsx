import { act, render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { operationMethods } from '../../src/client/PetstoreClient.ts'
import {
  type CallOptions,
  createPetstoreClient,
  type PetstoreClient,
  PetstoreProvider,
  type PetstoreProviderProps,
  type WaitReason,
} from '../../src/index.ts'
import { noResponse, optionsFor, OwnCache } from '../renderOnService.tsx'

/** Renders below a client whose calls wait, or fail, as the test says. */
export function renderWaiting(ui: ReactElement, { onError }: Pick<PetstoreProviderProps, 'onError'> = {}) {
  const real = createPetstoreClient({ ...optionsFor({ fetch: noResponse }), quickstartBaseUrl: 'https://quick.test' })
  let onWait: NonNullable<CallOptions['onWait']> = () => {}
  let reject: (error: unknown) => void = () => {}
  const call: PetstoreClient['call'] = (_operation, ...[, options]) => {
    onWait = options?.onWait ?? onWait
    return new Promise((_, onRejected) => {
      reject = onRejected
      options?.signal?.addEventListener('abort', () => reject(options.signal?.reason))
    })
  }
  const client = { ...real, call, ...operationMethods(call) }
  const view = render(
    <OwnCache>
      <PetstoreProvider client={client} onError={onError}>
        {ui}
      </PetstoreProvider>
    </OwnCache>,
  )
  return {
    ...view,
    /** The latest call waits that many seconds. */
    wait: (seconds: number, reason: WaitReason, isEarliest = false) =>
      act(async () => onWait({ until: Date.now() + seconds * 1_000, reason, isEarliest })),
    /** The latest call leaves. */
    leave: () => act(async () => onWait(undefined)),
    fail: (error: unknown) => act(async () => reject(error)),
  }
}
