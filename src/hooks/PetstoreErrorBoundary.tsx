'use client'

import { Component, type ReactElement, type ReactNode } from 'react'
import { unstable_serialize, useSWRConfig } from 'swr'
import { isPetstoreError, type PetstoreError } from '../client/errors.ts'
import { queryActivityOf } from './queryActivity.ts'

/** The props of `PetstoreErrorBoundary`. */
export interface PetstoreErrorBoundaryProps {
  /** Renders in place of the children after an error. `reset` renders the children again. */
  readonly fallback: (failure: { readonly error: PetstoreError; readonly reset: () => void }) => ReactNode
  /** Called when the boundary catches an error. */
  readonly onError?: ((error: PetstoreError) => void) | undefined
  /** The components whose hooks may throw. */
  readonly children?: ReactNode
}

/**
 * Catches only the errors that this package's hooks throw below it (`suspense`, `throwOnError`); other errors go to the
 * next boundary. `reset` first removes the failures from the SWR cache, which would otherwise be thrown again at once.
 * Needs no provider, but must use the same SWR cache as the hooks.
 */
export function PetstoreErrorBoundary(props: PetstoreErrorBoundaryProps): ReactElement {
  const { cache, mutate } = useSWRConfig()
  const prefix = unstable_serialize(['petstore'])

  function removeFailures(): void {
    const { userRequested } = queryActivityOf(cache)
    for (const serializedKey of [...cache.keys()]) {
      if (!serializedKey.startsWith(prefix) || cache.get(serializedKey)?.error === undefined) continue
      userRequested.add(serializedKey)
      // Also revalidates the hooks outside this boundary that show the failure.
      void mutate(serializedKey, (data: unknown) => data)
    }
  }

  return <Boundary {...props} onReset={removeFailures} />
}

interface State {
  readonly caught: { readonly error: unknown } | undefined
}

class Boundary extends Component<PetstoreErrorBoundaryProps & { readonly onReset: () => void }, State> {
  override readonly state: State = { caught: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { caught: { error } }
  }

  override componentDidCatch(error: unknown): void {
    if (isPetstoreError(error)) this.props.onError?.(error)
  }

  readonly reset = (): void => {
    this.props.onReset()
    this.setState({ caught: undefined })
  }

  override render(): ReactNode {
    const { caught } = this.state
    if (!caught) return this.props.children
    if (!isPetstoreError(caught.error)) throw caught.error
    return this.props.fallback({ error: caught.error, reset: this.reset })
  }
}
