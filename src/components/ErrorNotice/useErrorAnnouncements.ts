import { type RefObject, useEffect, useRef } from 'react'
import { isPetstoreError } from '../../client/errors.ts'
import { announce } from '../announce.ts'

/**
 * Announces a new error. Renders, ticks and other labels announce nothing.
 *
 * @returns a function to call when a person retries: if that fails, the error is announced again
 */
export function useErrorAnnouncements(
  near: RefObject<Element | null>,
  error: Error,
  text: string,
  isAboutWait: boolean,
): () => void {
  const kind = isPetstoreError(error) ? `${error.kind} ${error.outcome}` : 'other'
  const announcedKind = useRef<string>(undefined)
  /** The error that a person retried: another error after it is news, even of the same kind. */
  const retriedError = useRef<Error>(undefined)
  useEffect(() => {
    const hasRetryFailed = retriedError.current !== undefined && retriedError.current !== error
    if (kind === announcedKind.current && !hasRetryFailed) return
    announcedKind.current = kind
    retriedError.current = undefined
    announce(text, near.current, isAboutWait)
  }, [near, error, kind, text, isAboutWait])

  return () => {
    retriedError.current = error
  }
}
