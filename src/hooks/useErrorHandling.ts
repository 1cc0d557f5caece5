import { useEffect, useRef } from 'react'
import type { PetstoreError } from '../client/errors.ts'
import { useLatestRef } from './useLatestRef.ts'
import type { UsePetstoreQueryOptions } from './UsePetstoreQueryOptions.ts'
import type { QueryEntry } from './useQueryEntry.ts'

interface ErrorHandling {
  /** Notes that the component reads `error`, and so can show it. */
  readonly noteRead: () => void
  /** Whether this component, or another one with the same entry, deals with the error. */
  readonly isHandled: (error: PetstoreError) => boolean
}

/** Finds out whether anybody deals with the errors of a query, for the `onError` of the provider. */
export function useErrorHandling<Output>(
  { serializedKey, activity, isEmpty }: QueryEntry,
  { onError, throwOnError = false, suspense = false }: UsePetstoreQueryOptions<Output>,
): ErrorHandling {
  const isRead = useRef(false)
  const latest = useLatestRef((error: PetstoreError): boolean => {
    if (isRead.current || onError || (suspense && isEmpty())) return true
    return typeof throwOnError === 'function' ? throwOnError(error) : throwOnError
  })
  useEffect(
    () => activity.addErrorHandler(serializedKey, (error) => latest.current(error)),
    [activity, serializedKey, latest],
  )
  return {
    noteRead: () => {
      isRead.current = true
    },
    // A component that suspends has not mounted, and so is not among the handlers.
    isHandled: (error) => latest.current(error) || activity.isErrorHandled(serializedKey, error),
  }
}
