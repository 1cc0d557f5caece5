'use client'

import { Component, type ReactElement, type ReactNode } from 'react'
import { unstable_serialize, useSWRConfig } from 'swr'
import { isPetstoreError, type PetstoreError } from '../client/errors.ts'
import { queryActivityOf } from './queryActivity.ts'

/** What is caught, and what stands in its place. */
export interface PetstoreErrorBoundaryProps {
  /** What is shown in place of the children. `reset` tries them again. */
  readonly fallback: (failure: { readonly error: PetstoreError; readonly reset: () => void }) => ReactNode
  /** Told of each error that is caught. */
  readonly onError?: ((error: PetstoreError) => void) | undefined
  /** What may throw the errors of the hooks. */
  readonly children?: ReactNode
}

/**
 * Catches what the hooks below it throw (`suspense`, `throwOnError`), and nothing else: other errors go on to the next
 * boundary. `reset` first forgets the failures in the SWR cache, which would be thrown again at once. Needs no provider,
 * but has to stand in the same SWR cache as the hooks.
 */
export function PetstoreErrorBoundary(props: PetstoreErrorBoundaryProps): ReactElement {
  const { cache, mutate } = useSWRConfig()
  const prefix = unstable_serialize(['petstore'])

  function forgetFailures(): void {
    const { userRequested } = queryActivityOf(cache)
    for (const entry of [...cache.keys()]) {
      if (!entry.startsWith(prefix) || cache.get(entry)?.error === undefined) continue
      userRequested.add(entry)
      // Asked again where others show the failure, too.
      void mutate(entry, (data: unknown) => data)
    }
  }

  return <Boundary {...props} onReset={forgetFailures} />
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
